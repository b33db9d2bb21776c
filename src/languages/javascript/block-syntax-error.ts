// A block that cannot be read, with the place where reading stopped.

export class BlockSyntaxError extends Error {
  override name = "SyntaxError";
  readonly line: number;
  /** From 1, as stack traces have it. */
  readonly column: number;
  readonly source: string;

  constructor(message: string, source: string, line: number, column: number) {
    super(message);
    this.source = source;
    this.line = line;
    this.column = column;
  }

  /** From what a parser threw: its message ends with the place, "(2:7)". */
  static from(error: unknown, source: string): BlockSyntaxError {
    const text = error instanceof Error ? error.message : String(error);
    const place = /\s*\((\d+):(\d+)\)\s*$/.exec(text);
    const { loc } = error as { loc?: { line?: number; column?: number } };
    const message = text.slice(0, place?.index ?? text.length).replace(/^Error transforming [^:]*: /, "");
    return new BlockSyntaxError(
      message,
      source,
      loc?.line ?? Number(place?.[1] ?? 1),
      (loc?.column ?? Number(place?.[2] ?? 0)) + 1,
    );
  }

  isAfter(other: BlockSyntaxError): boolean {
    return this.line > other.line || (this.line === other.line && this.column > other.column);
  }

  /** The same problem, in the text as it was written. */
  within(source: string): BlockSyntaxError {
    return new BlockSyntaxError(this.message, source, this.line, this.column);
  }

  /** What a person sees: the line, a caret under the place, the message. */
  traceback(name: string): string {
    const line = this.source.split(/\r?\n/)[this.line - 1] ?? "";
    const caret = `${line.slice(0, this.column - 1).replace(/[^\t]/g, " ")}^`;
    return `${name}:${this.line}:${this.column}\n${line}\n${caret}\n${this.name}: ${this.message}`;
  }
}
