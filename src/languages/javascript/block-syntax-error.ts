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

  /** From what a parser threw. Acorn counts columns from 0, sucrase from 1; both put the place behind the message. */
  static from(error: unknown, source: string, firstColumn: 0 | 1): BlockSyntaxError {
    const { message, loc } = error as { message: string; loc?: { line: number; column: number } };
    const text = message.replace(/^Error transforming [^:]*: /, "").replace(/\s*\(\d+:\d+\)\s*$/, "");
    return new BlockSyntaxError(text, source, loc?.line ?? 1, (loc?.column ?? firstColumn) + 1 - firstColumn);
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
