// --verbose: what is asked of the model and what comes of blocks, a line each: sizes, times, models. Never what was said, and no keys.

import type { Chunk, Message } from "../messages/index.ts";
import type { Model, ModelEvent, ModelRequest } from "../models/index.ts";

export type Trace = (line: string) => void;

/** The same model, with a line before and after each request. */
export function tracedModel(model: Model, trace: Trace): Model {
  let requests = 0;
  return {
    id: model.id,
    dialect: model.dialect,
    ...(model.facts && { facts: () => model.facts!() }),
    ...(model.close && { close: () => model.close!() }),
    stream: (request) => watch(model, request, `request ${++requests}`, trace),
  };
}

async function* watch(model: Model, request: ModelRequest, name: string, trace: Trace): AsyncGenerator<ModelEvent> {
  const started = performance.now();
  const passed = (): string => `${Math.round(performance.now() - started)} ms`;
  const { messages, system, languages } = request;
  const size = system.length + messages.reduce((sum, { content }) => sum + content.length, 0);
  const tool = languages.length > 0 ? `, ${model.dialect} dialect` : "";
  trace(`${name} to ${model.id}: ${count(messages)}, ${size} characters${tool}`);
  let first = true;
  for await (const event of model.stream(request)) {
    if (first && event.type !== "retry") {
      first = false;
      trace(`${name}: first answer after ${passed()}`);
    }
    if (event.type === "usage") {
      const { inputTokens, cachedInputTokens, outputTokens } = event.usage;
      trace(`${name}: ${inputTokens} tokens read, ${cachedInputTokens} of them cached, ${outputTokens} written`);
    } else if (event.type === "retry")
      trace(`${name}: try ${event.attempt} failed (${event.failure.kind}), again in ${Math.round(event.delay)} ms`);
    else if (event.type === "finish") trace(`${name}: ended after ${passed()} (${event.reason})`);
    else if (event.type === "failure") trace(`${name}: failed after ${passed()} (${event.failure.kind})`);
    yield event;
  }
}

const count = ({ length }: readonly Message[]): string => (length === 1 ? "1 message" : `${length} messages`);

/** A line about a chunk that is worth one. */
export function tracedChunk({
  type,
  end,
  status,
  duration,
  exitCode,
  memory,
  outputFile,
  code,
}: Chunk): string | undefined {
  if (type === "notice") return `notice: ${code}`;
  if (type !== "console" || !end || !status) return undefined;
  return [
    `step: ${status}`,
    ...(exitCode ? [`exit code ${exitCode}`] : []),
    ...(duration === undefined ? [] : [`${Math.round(duration)} ms`]),
    ...(memory === undefined ? [] : [`${Math.round(memory / 1e6)} MB in the session`]),
    ...(outputFile ? [`whole output in ${outputFile}`] : []),
  ].join(", ");
}
