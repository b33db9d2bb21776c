// SQL inside the Python session: its data frames are tables, and the result is a data frame called `_sql`.

import type { Hold, Session, SessionEvent } from "../language.ts";
import type { TableAnswer, TableRequest } from "../table-view.ts";
import query from "./duckdb-query.py";
import { withTable } from "./table.ts";

export class DuckDBSession implements Session {
  readonly language = "sql";
  readonly #python: Session;

  constructor(python: Session) {
    this.#python = python;
  }

  get description(): string {
    return `DuckDB in ${this.#python.description}`;
  }

  get alive(): boolean {
    return this.#python.alive;
  }

  async *run(code: string, name: string): AsyncIterable<SessionEvent> {
    for await (const event of this.#python.run(`${query}\n_interpreter_sql(${pythonText(code)})`, name)) {
      // The line would be one of ours.
      if (event.type === "line") continue;
      if (event.type === "display") yield { ...event, bundle: withTable(event.bundle) };
      else if (event.type === "error" && event.name !== "KeyboardInterrupt")
        yield { ...event, traceback: `${event.name}: ${event.message}\n` };
      else yield event;
    }
  }

  async hold(): Promise<Hold | undefined> {
    return this.#python.hold?.();
  }

  viewTable(request: TableRequest, signal?: AbortSignal): Promise<TableAnswer> {
    return this.#python.viewTable!(request, signal);
  }

  interrupt(): void {
    this.#python.interrupt();
  }

  /** The Python session is not ours to end. */
  async close(): Promise<void> {}
}

/** A Python literal; JSON's escapes are Python's, but for lone surrogates. */
function pythonText(text: string): string {
  return JSON.stringify(text.toWellFormed());
}
