// SQL: DuckDB inside the Python session where its environment has it, so that data frames are tables; otherwise SQLite,
// which every Node brings along. Files named in a query are tables with both.

import { type Language, type Session, type SessionOptions, SessionStartError } from "../language.ts";

export const sql: Language = {
  name: "sql",
  aliases: ["sqlite", "sqlite3", "duckdb"],
  extension: "sql",
  note: "files are tables: SELECT * FROM 'sales.csv'.",
  async available() {
    return true;
  },
  async start(options) {
    const python = await pythonWithDuckDB(options);
    if (python) {
      const { DuckDBSession } = await import("./duckdb-session.ts");
      return new DuckDBSession(python);
    }
    const { startSQLite } = await import("./sqlite-session.ts");
    return startSQLite(options);
  },
};

/** The conversation's Python session, if DuckDB is installed in it. */
async function pythonWithDuckDB({ sibling }: SessionOptions): Promise<Session | undefined> {
  let python: Session;
  try {
    if (!sibling) return undefined;
    python = await sibling("python");
  } catch (error) {
    if (error instanceof SessionStartError) return undefined;
    throw error;
  }
  let found = false;
  const question = "print(__import__('importlib.util').util.find_spec('duckdb') is not None)";
  for await (const event of python.run(question, "<looking for DuckDB>"))
    if (event.type === "output" && event.text.trim() === "True") found = true;
  return found ? python : undefined;
}
