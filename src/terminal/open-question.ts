// A question that Ctrl-C ends: also one that comes after what runs was stopped, when its own signal is spent.

export class OpenQuestion {
  #stop: AbortController | undefined;

  async ask<T>(signal: AbortSignal, question: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    this.#stop = stop;
    try {
      return await question(AbortSignal.any([signal, stop.signal]));
    } finally {
      this.#stop = undefined;
    }
  }

  /** Whether there was one to end. */
  end(): boolean {
    this.#stop?.abort();
    return this.#stop !== undefined;
  }
}
