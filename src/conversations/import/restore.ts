// Puts the messages of a cell of ours together again, byte for byte.

import { existsSync } from "node:fs";
import type { Message } from "../../messages/index.ts";
import { type Cell, type CellFacts, joined, type Output, type ResultFacts, wholeBundle } from "../notebook/format.ts";

export function restored(cell: Cell, { message, whole, results = [], added = 0 }: CellFacts): Message[] {
  if (whole) return [whole];
  if (!message) return [];
  const source = joined(cell.source);
  if (cell.cell_type !== "code") return [{ ...message, content: said(cell, source, message) }];
  const code = added === 1 ? source.slice(source.indexOf("\n") + 1) : source;
  const outputs = [...(cell.outputs ?? [])];
  return [{ ...message, content: code }, ...results.map((facts) => result(facts, outputs))];
}

function said({ attachments }: Cell, source: string, { role, type }: { role: string; type: string }): string {
  if (type === "image") return String(Object.values(wholeBundle(Object.values(attachments ?? {})[0]))[0] ?? "");
  return role === "user" ? unquoted(source) : source;
}

const unquoted = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.slice("> ".length))
    .join("\n");

/** Takes the outputs that belong to a message off the list. */
function result({ message, pieces, rest }: ResultFacts, outputs: Output[]): Message {
  let content = "";
  let bundle: Message["bundle"];
  for (const piece of pieces) {
    const output = outputs.shift();
    if (!output) continue;
    if (output.output_type === "stream") content += joined(output.text);
    else if (output.output_type === "error") content += output.traceback.join("\n");
    else {
      const data = wholeBundle(output.data);
      if (piece === "value") content += String(Object.values(data)[0] ?? "");
      else bundle = { ...data, ...rest };
      const plain = String(data["text/plain"] ?? "");
      if (piece === "shown") content += plain.endsWith("\n") ? plain : `${plain}\n`;
    }
  }
  const { outputFile, ...facts } = message;
  const file = outputFile !== undefined && existsSync(outputFile) ? { outputFile } : {};
  return { ...facts, ...file, ...(bundle && { bundle }), content };
}
