// Text that grows without growing: keeps the head and the tail of what was added, and counts the rest.

export class BoundedText {
  #head = "";
  #tail = "";
  #length = 0;
  readonly #headLimit: number;
  readonly #tailLimit: number;

  constructor(limit: number) {
    this.#headLimit = Math.ceil(limit / 2);
    this.#tailLimit = Math.floor(limit / 2);
  }

  /** Everything ever added. */
  get length(): number {
    return this.#length;
  }

  get cut(): boolean {
    return this.#length > this.#headLimit + this.#tailLimit;
  }

  add(text: string): void {
    this.#length += text.length;
    const room = this.#headLimit - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    const rest = room > 0 ? text.slice(room) : text;
    if (rest === "") return;
    this.#tail = rest.length >= this.#tailLimit ? rest.slice(-this.#tailLimit) : this.#tail + rest;
    // Trimmed only now and then, so that many small pieces cost no more than one large one.
    if (this.#tail.length > 2 * this.#tailLimit + 1024) this.#tail = this.#tail.slice(-this.#tailLimit);
  }

  /** The whole text, or its two ends with `gap` between them. */
  toString(gap: (leftOut: number) => string): string {
    if (!this.cut) return this.#head + this.#tail;
    const tail = this.#tailLimit === 0 ? "" : this.#tail.slice(-this.#tailLimit);
    return this.#head + gap(this.#length - this.#head.length - tail.length) + tail;
  }
}
