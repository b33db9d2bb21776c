// What came of a block as the outputs of a notebook's cell, and how the messages are put together from them again.

import type { Message, MimeBundle } from "../../messages/index.ts";
import { factsOf, fitsNotebook, inLines, type Output, type Piece, type ResultFacts } from "../notebook/format.ts";
import { type BlockPart, pictureType } from "./parts.ts";

export function outputsOf({ results }: BlockPart, count: number | null): { outputs: Output[]; results: ResultFacts[] } {
  const outputs: Output[] = [];
  const facts = results.map((message): ResultFacts => {
    const made = message.type === "console" ? consoleOutputs(message, count) : [valueOutput(message)];
    outputs.push(...made.map(({ output }) => output));
    const rest = misfits(message.bundle);
    return { message: factsOf(message), pieces: made.map(({ piece }) => piece), ...(rest && { rest }) };
  });
  return { outputs, results: facts };
}

interface Made {
  piece: Piece;
  output: Output;
}

function valueOutput(message: Message): Made {
  const mime =
    pictureType(message) ?? (message.type === "code" && message.format === "html" ? "text/html" : "text/plain");
  return { piece: "value", output: { output_type: "display_data", data: { [mime]: message.content }, metadata: {} } };
}

/** Printed text, a displayed value with its richer forms, and a traceback: each is an output of its own. */
function consoleOutputs({ content, bundle, status }: Message, count: number | null): Made[] {
  if (!bundle) return textOutputs(content, status === "error");
  const data = Object.fromEntries(Object.entries(bundle).filter(([mime, value]) => fitsNotebook(mime, value)));
  const plain = data["text/plain"];
  const printed = typeof plain === "string" && plain !== "" ? (plain.endsWith("\n") ? plain : `${plain}\n`) : undefined;
  const at = printed === undefined ? -1 : content.lastIndexOf(printed);
  if (at === -1)
    return [
      ...textOutputs(content, status === "error"),
      { piece: "beside", output: { output_type: "display_data", data, metadata: {} } },
    ];
  const after = content.slice(at + printed!.length);
  const shown: Output =
    after === "" && count !== null
      ? { output_type: "execute_result", data, metadata: {}, execution_count: count }
      : { output_type: "display_data", data, metadata: {} };
  return [
    ...textOutputs(content.slice(0, at), false),
    { piece: "shown", output: shown },
    ...textOutputs(after, status === "error"),
  ];
}

function textOutputs(text: string, failed: boolean): Made[] {
  const at = failed ? lastLine(text, "Traceback (most recent call last):\n") : -1;
  const printed = at === -1 ? text : text.slice(0, at);
  const made: Made[] = [];
  if (printed !== "")
    made.push({ piece: "text", output: { output_type: "stream", name: "stdout", text: inLines(printed) } });
  if (at !== -1) made.push({ piece: "error", output: errorOutput(text.slice(at)) });
  return made;
}

/** Where the last line that begins like this begins. */
function lastLine(text: string, beginning: string): number {
  const at = text.lastIndexOf(`\n${beginning}`);
  return at === -1 ? (text.startsWith(beginning) ? 0 : -1) : at + 1;
}

function errorOutput(traceback: string): Output {
  const last = traceback.split("\n").findLast((line) => /^[A-Za-z_]/.test(line)) ?? "";
  const [, ename = "Error", evalue = ""] = /^([\w.]+)(?:: ([\s\S]*))?$/.exec(last) ?? [];
  return { output_type: "error", ename, evalue, traceback: traceback.split("\n") };
}

function misfits(bundle: MimeBundle = {}): MimeBundle | undefined {
  const rest = Object.entries(bundle).filter(([mime, value]) => !fitsNotebook(mime, value));
  return rest.length > 0 ? Object.fromEntries(rest) : undefined;
}
