// Looking at a table inside a session, a part at a time: what can be asked, and what comes back. The session keeps what is
// being looked at until it is told to let go. Answers come from inside, so they are checked.

import { isTable, type Table } from "../messages/index.ts";

export type TableRequest =
  /** Begins to look at what an expression stands for. */
  | { do: "open"; code: string }
  | ({
      do: "page";
      rows: readonly [from: number, count: number];
      columns: readonly [from: number, count: number];
    } & Order)
  /** What is known of a column; `whole` for everything that can be found out. */
  | ({ do: "column"; column: number; whole: boolean } & Order)
  /** One value, as long as it is. */
  | ({ do: "cell"; row: number; column: number } & Order)
  | { do: "close" };

/** Which rows, and in which order. The table in the session stays as it is. */
export interface Order {
  sort?: { column: number; descending: boolean };
  /** An expression in the words of the table's library, a comparison (`> 3`), or a text in the column. */
  filter?: { text: string; column: number };
}

export type TableAnswer =
  | { kind: string; rows: number; columns: number }
  /** `total` is how many rows the filter has left; the columns that name the rows come first. */
  | { table: Table }
  | { facts: readonly (readonly [name: string, value: string])[] }
  | { text: string }
  | { closed: true }
  /** One plain sentence. */
  | { problem: string };

const unreadable: TableAnswer = { problem: "The session did not answer in a way that can be shown." };

export function readTableAnswer(value: unknown): TableAnswer {
  const answer = Object(value) as Record<string, unknown>;
  const { problem, kind, rows, columns, table, facts, text, closed } = answer;
  if (typeof problem === "string") return { problem: problem.replace(/\s+/g, " ").trim() };
  if (typeof kind === "string" && typeof rows === "number" && typeof columns === "number")
    return { kind, rows, columns };
  if (isTable(table)) return { table };
  if (Array.isArray(facts) && facts.every(isFact)) return { facts };
  if (typeof text === "string") return { text };
  return closed === true ? { closed } : unreadable;
}

function isFact(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");
}
