// Stopping a block that has been interrupted: it is interrupted once more when it goes on, and then its process is ended.

const secondInterruptAfter = 2_000;
const killAfter = 5_000;

export class Stopping {
  #timers: NodeJS.Timeout[] = [];

  get begun(): boolean {
    return this.#timers.length > 0;
  }

  begin(interruptAgain: () => void, kill: () => void): void {
    this.later(interruptAgain, secondInterruptAfter);
    this.later(kill, killAfter);
  }

  /** Does something unless the block has ended by then. */
  later(act: () => void, milliseconds: number): void {
    this.#timers.push(setTimeout(act, milliseconds));
  }

  /** The block has ended. */
  done(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
  }
}
