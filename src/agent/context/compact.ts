// Compaction: the older part of the conversation becomes a summary, written by the model itself. What was said stays in the
// conversation; only what the model reads is shorter.

import type { Sessions } from "../../languages/index.ts";
import type { Chunk, Message } from "../../messages/index.ts";
import type { Model } from "../../models/index.ts";
import { BlockWriter } from "../block-writer.ts";
import { notice } from "../notice.ts";
import { bounded, isSummary } from "./shorten.ts";
import summaryPrompt from "./summary-prompt.md";
import { transcribe } from "./transcript.ts";
import type { ContextWindow } from "./window.ts";

export interface CompactRequest {
  context: ContextWindow;
  model: Model;
  messages: readonly Message[];
  sessions: Sessions;
  /** Tokens a request may have. */
  limit: number;
  /** Tokens of the newest messages that stay word for word. */
  keep: number;
  signal: AbortSignal;
}

const longestSummary = 8_000;

/** Returns false when there was nothing to put into a summary. */
export async function* compact(request: CompactRequest): AsyncGenerator<Chunk, boolean> {
  const { context, messages } = request;
  const from = messages.findLast(isSummary)?.covers ?? 0;
  const covers = cutAt(context, messages, from, request.keep);
  const older = messages.slice(from, covers).filter((message) => !isSummary(message));
  if (older.length === 0) return false;
  const before = messages.findLast(isSummary);
  const head = before ? [before, ...older] : older;

  yield notice("compacting", `Writing a summary of ${head.length} earlier messages, to make room.`);
  const written = yield* summarise(request, head);
  if (request.signal.aborted) return false;
  const text = [
    "(The beginning of this conversation is left out here; this is its summary.)",
    `The user asked:\n${askedFor(head)}`,
    written || `What was done, step by step:\n${transcribe(head, 4_000)}`,
    await liveNames(request.sessions),
  ].filter((part) => part !== "");
  if (!written) yield notice("compacted", "The model wrote no summary. The first lines of each step are kept instead.");
  const summary = { role: "user", type: "message", format: "summary" } as const;
  yield* new BlockWriter().message(summary, text.join("\n\n"), { recipient: "assistant", covers });
  return true;
}

/** Where the part that stays begins: never between a block and its output, and best where somebody starts to speak. */
function cutAt(context: ContextWindow, messages: readonly Message[], from: number, keep: number): number {
  let tokens = 0;
  let possible = messages.length;
  let good: number | undefined;
  for (let index = messages.length - 1; index >= from; index--) {
    const message = messages[index]!;
    tokens += context.size([context.read(message)]);
    if (tokens > keep) break;
    if (message.role === "computer" || isSummary(message) || messages[index - 1]?.type === "reasoning") continue;
    possible = index;
    if (message.role === "user" || message.type !== "code") good = index;
  }
  return good ?? possible;
}

/** What the user said, the first words and the last ones. */
function askedFor(messages: readonly Message[]): string {
  const said = messages.filter(
    ({ role, type, recipient }) => role === "user" && type === "message" && recipient !== "assistant",
  );
  const chosen = said.length > 4 ? [said[0]!, ...said.slice(-3)] : said;
  return chosen.map(({ content }) => `- ${bounded(content.trim(), 1_500)}`).join("\n") || "- (see below)";
}

async function* summarise(request: CompactRequest, head: readonly Message[]): AsyncGenerator<Chunk, string> {
  const { context, model, limit, signal } = request;
  // A third of the room is left for what we say about it and for the summary.
  const perToken = 3;
  let transcript = transcribe(head, Number.POSITIVE_INFINITY);
  const ask = (text: string): Message[] => [
    { role: "user", type: "message", content: `The conversation:\n\n${text}\n\n(End of it. Now write the memory.)` },
  ];
  if (context.size(ask(transcript), summaryPrompt) > limit * 0.66)
    transcript = transcribe(head, Math.max(1_000, Math.floor(limit * 0.5 * perToken)));
  let text = "";
  const messages = ask(transcript);
  for await (const event of model.stream({ system: summaryPrompt.trim(), messages, languages: [], signal })) {
    if (event.type === "text-delta" || event.type === "code-delta") text += event.text;
    else if (event.type === "code-start") text += `\n\`\`\`${event.language}\n`;
    else if (event.type === "code-end") text += "\n```\n";
    else if (event.type === "usage") yield { role: "server", type: "usage", content: { ...event.usage } };
    else if (event.type === "failure") return "";
  }
  return bounded(text.trim(), longestSummary);
}

const patience = 2_000;

/** The names that live sessions hold, asked of the sessions themselves. */
async function liveNames(sessions: Sessions): Promise<string> {
  const late = new Promise<[]>((resolve) => setTimeout(() => resolve([]), patience).unref());
  const facts = await Promise.race([sessions.describe({ variables: true }).catch(() => []), late]);
  const lines = facts.flatMap(({ language, variables = [] }) => {
    const names = variables.slice(0, 60).map(({ name, type }) => (type ? `${name} (${type})` : name));
    return names.length > 0 ? [`- ${language}: ${names.join(", ")}`] : [];
  });
  return lines.length > 0 ? `Variables that are live now:\n${lines.join("\n")}` : "";
}
