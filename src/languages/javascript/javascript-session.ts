// A JavaScript session: each block is rewritten here, then run by the driver.

import type { DriverSession } from "../driver-session.ts";
import type { Completion, Variable } from "../inspection.ts";
import type { Session, SessionEvent } from "../language.ts";
import type { BlockSyntaxError } from "./block-syntax-error.ts";
import type { Rewriter } from "./rewrite.ts";

export class JavaScriptSession implements Session {
  readonly language = "javascript";
  readonly #driver: DriverSession;
  readonly #rewriter: Promise<Rewriter>;
  #rewriting = false;
  #stopped = false;

  constructor(driver: DriverSession, rewriter: Promise<Rewriter>) {
    this.#driver = driver;
    this.#rewriter = rewriter;
  }

  get description(): string {
    return this.#driver.description;
  }

  get alive(): boolean {
    return this.#driver.alive;
  }

  get pid(): number {
    return this.#driver.pid;
  }

  async *run(code: string, name: string): AsyncIterable<SessionEvent> {
    this.#rewriting = true;
    this.#stopped = false;
    let unit: string;
    try {
      unit = JSON.stringify(await (await this.#rewriter).rewrite(code));
    } catch (error) {
      const { name: kind, message } = error as Error;
      const traceback = (error as Partial<BlockSyntaxError>).traceback?.(name) ?? `${kind}: ${message}`;
      yield { type: "error", name: kind, message, traceback };
      yield { type: "end", status: "error" };
      return;
    } finally {
      this.#rewriting = false;
    }
    if (this.#stopped) yield { type: "end", status: "interrupted" };
    else yield* this.#driver.run(unit, name);
  }

  interrupt(): void {
    if (this.#rewriting) this.#stopped = true;
    else this.#driver.interrupt();
  }

  inspect(): Promise<Variable[]> {
    return this.#driver.inspect();
  }

  complete(code: string, cursor: number): Promise<Completion> {
    return this.#driver.complete(code, cursor);
  }

  close(): Promise<void> {
    return this.#driver.close();
  }
}
