// SQL with SQLite, in a Node process of its own. The database is a private file: a query that is interrupted takes its
// process with it, and the next process goes on with the same tables.

import { fileURLToPath } from "node:url";
import { begun } from "../begun.ts";
import { PrivateFolder } from "../custom/private-folder.ts";
import { underLifeline } from "../driven/lifeline.ts";
import type { DriverSession } from "../driver-session.ts";
import type { Session, SessionEnd, SessionEvent, SessionOptions } from "../language.ts";
import { startDriver } from "../start-driver.ts";
import type { TableAnswer, TableRequest } from "../table-view.ts";
import { withTable } from "./table.ts";

const driver = fileURLToPath(new URL("./sqlite-driver.mjs", import.meta.url));

export function startSQLite(options: SessionOptions): Promise<Session> {
  return begun(new SQLiteSession(options), (session) => session.begin());
}

class SQLiteSession implements Session {
  readonly language = "sql";
  readonly #options: SessionOptions;
  readonly #folder = new PrivateFolder();
  #driver: DriverSession | undefined;
  #interrupted = false;
  #closed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  get description(): string {
    return this.#driver?.description ?? "SQLite";
  }

  get alive(): boolean {
    return this.#driver?.alive === true;
  }

  get pid(): number | undefined {
    return this.#driver?.pid;
  }

  async begin(): Promise<void> {
    const { machine, cwd, env } = this.#options;
    const args = ["--experimental-sqlite", "--disable-warning=ExperimentalWarning", driver, this.#folder.path];
    this.#driver = await startDriver({
      language: "sql",
      title: "SQLite",
      machine,
      ...underLifeline(process.execPath, args),
      cwd,
      env: { ...env, NODE_OPTIONS: undefined },
    });
    if (this.#closed) await this.#driver.close();
  }

  async *run(code: string, name: string): AsyncIterable<SessionEvent> {
    const running = this.#driver;
    if (!running?.alive) {
      yield { type: "end", status: "exited", explanation: "SQLite had already ended" };
      return;
    }
    this.#interrupted = false;
    let ended = false;
    try {
      for await (const event of running.run(code, name)) {
        ended = event.type === "end";
        if (event.type === "end") yield await this.#end(event);
        else if (event.type === "display") yield { ...event, bundle: withTable(event.bundle) };
        else yield event;
      }
    } finally {
      if (!ended && !running.alive) await this.#end({ type: "end", status: "exited" });
    }
  }

  /** It cannot be stopped halfway: that would take the process with it. */
  async viewTable(request: TableRequest): Promise<TableAnswer> {
    return this.#driver?.viewTable(request) ?? { problem: "The session has ended." };
  }

  interrupt(): void {
    this.#interrupted = true;
    this.#driver?.interrupt();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#driver?.close();
    this.#folder.remove();
  }

  /** SQLite cannot be stopped in the middle of a query from outside, so its process was: a new one has the tables. */
  async #end(end: SessionEnd): Promise<SessionEnd> {
    if (end.status !== "exited" || this.#closed) return end;
    await this.#driver?.close();
    try {
      await this.begin();
    } catch (error) {
      return {
        ...end,
        explanation: `${end.explanation}; SQLite could not be started again: ${(error as Error).message}`,
      };
    }
    if (this.#interrupted) return { type: "end", status: "interrupted" };
    return { ...end, explanation: `${end.explanation}; a new one has its tables, but no open transaction` };
  }
}
