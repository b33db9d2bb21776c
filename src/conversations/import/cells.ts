// The messages of one cell: exactly those it was made from where we made it and nobody has changed it; otherwise what it says.

import { checkMessage, type Message, newId } from "../../messages/index.ts";
import { type Cell, type CellFacts, joined, ours, sealOf, wholeBundle } from "../notebook/format.ts";
import type { ImportOptions } from "./index.ts";
import { outputMessages } from "./outputs.ts";
import { restored } from "./restore.ts";

export interface CellOptions extends ImportOptions {
  language: string;
  index: number;
  problems: string[];
}

export async function cellMessages(cell: Cell, options: CellOptions): Promise<Message[]> {
  const facts = Object(cell.metadata[ours]) as Partial<CellFacts>;
  if (typeof facts.seal === "string" && facts.seal === (await sealOf(cell))) {
    if (facts.heading) return [];
    const messages = restored(cell, facts as CellFacts);
    if (messages.every((message) => checkMessage(message) === undefined)) return messages;
  }
  const source = joined(cell.source);
  if (cell.cell_type === "code") return codeMessages(cell, source, facts, options);
  if (source.trim() === "") return [];
  return [...attached(cell), { role: "user", type: "message", content: source }];
}

function codeMessages(cell: Cell, source: string, facts: Partial<CellFacts>, options: CellOptions): Message[] {
  if (source.trim() === "") return [];
  // A cell of ours that was changed or run again is still in its language.
  const language = typeof facts.message?.format === "string" ? facts.message.format : options.language;
  const content = facts.added === 1 ? source.slice(source.indexOf("\n") + 1) : source;
  const id = facts.message?.id ?? `cell-${cell.id ?? newId()}`;
  const code: Message = { role: facts.message?.role ?? "user", type: "code", format: language, content, id };
  if (checkMessage(code)) return [];
  return [code, ...outputMessages(cell, id, options)];
}

/** Pictures that are part of a markdown cell. */
function attached({ attachments = {} }: Cell): Message[] {
  return Object.values(attachments).flatMap((bundle): Message[] => {
    const { "image/png": png, "image/jpeg": jpeg } = wholeBundle(bundle);
    if (typeof png === "string") return [{ role: "user", type: "image", format: "base64.png", content: png }];
    if (typeof jpeg === "string") return [{ role: "user", type: "image", format: "base64.jpeg", content: jpeg }];
    return [];
  });
}
