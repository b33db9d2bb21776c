// What is said between a session and the driver inside its process: commands on descriptor 3, events on descriptor 4, one a line.

import type { MimeBundle } from "../messages/index.ts";
import type { SessionEvent } from "./language.ts";
import type { TableRequest } from "./table-view.ts";

export type DriverCommand =
  | { op: "run"; id: number; code: string; name: string }
  | { op: "interrupt" }
  | { op: "answer"; id: number; text: string | null }
  | { op: "inspect"; id: number }
  | { op: "complete"; id: number; code: string; cursor: number }
  | ({ op: "table"; id: number } & TableRequest)
  | { op: "state"; id: number; do: "save" | "restore" | "facts"; [detail: string]: unknown }
  | { op: "hold"; id: number; do: "begin" | "drop" | "back"; token?: string }
  /** To a copy that has taken over: from here on, it is spoken to. Marks count on from this number. */
  | { op: "resume"; token: string; marks: number };

export type DriverEvent = { mark?: number } & (
  | { op: "ready"; version: string }
  | { op: "line"; line: number }
  | { op: "display"; bundle: MimeBundle; display_id?: string; update?: boolean }
  | { op: "error"; name: string; message: string; traceback: string }
  | { op: "ask"; id: number; prompt: string; hidden?: boolean }
  | {
      op: "end";
      id: number;
      status: "ok" | "error" | "interrupted";
      exitCode?: number;
      memory?: number | null;
      hosts?: unknown;
    }
  /** The process ends, and says how. */
  | { op: "leaving"; code: number; hosts?: unknown }
  /** A copy of the process, which it had kept asleep, has taken over; then: it goes on. */
  | { op: "moved"; token: string; pid: number; group: number; notes?: unknown }
  | { op: "resumed" }
  /** The answer to `inspect`, `complete`, `table` or `state`. */
  | { op: "reply"; id: number; value: unknown }
  | { op: "call" | "cancel" | "more" }
);

/** Undefined for anything that is not an event: code inside can write to the driver's descriptor, too. */
export function readEvent(line: string): DriverEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && "op" in value ? (value as DriverEvent) : undefined;
  } catch {
    return undefined;
  }
}

/** What the reader of a block is told; undefined where that is nothing. An answer to what was asked goes to `send`, once. */
export function sessionEvent(event: DriverEvent, send: (answer: DriverCommand) => void): SessionEvent | undefined {
  switch (event.op) {
    case "line":
      return { type: "line", line: Number(event.line) };
    case "display":
      if (typeof event.bundle !== "object" || !event.bundle) return undefined;
      return {
        type: "display",
        bundle: event.bundle,
        ...(event.display_id === undefined ? {} : { id: String(event.display_id) }),
        ...(event.update === true ? { update: true } : {}),
      };
    case "error":
      return {
        type: "error",
        name: String(event.name),
        message: String(event.message),
        traceback: String(event.traceback),
      };
    case "ask": {
      const { id, prompt, hidden } = event;
      let answered = false;
      const answer = (text: string | null) => {
        if (answered) return;
        answered = true;
        send({ op: "answer", id, text });
      };
      return { type: "input", prompt: String(prompt ?? ""), hidden: hidden === true, answer };
    }
    default:
      return undefined;
  }
}
