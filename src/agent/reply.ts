// One reply of the model: its words and code are told as chunks while they come, and each block is run when it is whole.
// Blocks after the first are shown when the one before has run, so code and its output always stand together.

import type { Chunk, Extras } from "../messages/index.ts";
import type { ModelEvent, ModelFailure, Usage } from "../models/index.ts";
import { BlockWriter } from "./block-writer.ts";
import { notice } from "./notice.ts";
import { pump } from "./pump.ts";

export interface WrittenBlock {
  id: string;
  language: string;
  code: string;
}

export interface ReplyRequest {
  events: AsyncIterable<ModelEvent>;
  signal: AbortSignal;
  /** The model has begun a block in this language. */
  onBlockStart: (language: string) => void;
  /** Runs a block; returning anything else than undefined means no further block of this reply runs. */
  run: (block: WrittenBlock) => AsyncGenerator<Chunk, string | undefined>;
}

export interface ReplyEnd {
  blocks: number;
  /** Whether there was any text worth reading. */
  said: boolean;
  stop?: string;
  failure?: ModelFailure;
  usage?: Usage;
}

const words = { role: "assistant", type: "message" } as const;
const thoughts = { role: "assistant", type: "reasoning" } as const;

export async function* readReply({ events, signal, onBlockStart, run }: ReplyRequest): AsyncGenerator<Chunk, ReplyEnd> {
  const end: ReplyEnd = { blocks: 0, said: false };
  const writer = new BlockWriter();
  let block: WrittenBlock | undefined;
  const place = (): Extras => (end.blocks > 0 ? { sameReply: true } : {});

  for await (const event of pump(events)) {
    switch (event.type) {
      case "text-delta":
        if (event.text.trim() !== "") end.said = true;
        yield* writer.write(words, event.text, place());
        break;
      case "text-end":
        if (writer.writes(words)) yield* writer.end({ provider: event.provider });
        break;
      case "reasoning-delta":
        yield* writer.write(thoughts, event.text, place());
        break;
      case "reasoning-end":
        // Thinking without words is kept too, for the model that it came from.
        if (event.provider) yield* writer.write(thoughts, "", place());
        if (writer.writes(thoughts)) yield* writer.end(event.provider ? { provider: event.provider } : {});
        break;
      case "code-start":
        block = { id: event.id, language: event.language.trim().toLowerCase(), code: "" };
        onBlockStart(block.language);
        yield* writer.start(headerOf(block), { id: block.id, ...place() });
        end.blocks++;
        break;
      case "code-delta":
        if (!block) break;
        block.code += event.text;
        yield* writer.write(headerOf(block), event.text);
        break;
      case "code-end": {
        if (!block) break;
        yield* writer.end({
          ...(event.complete ? {} : { incomplete: true }),
          ...(event.provider ? { provider: event.provider } : {}),
        });
        const whole = block;
        block = undefined;
        if (signal.aborted) break;
        if (!event.complete)
          yield* notRun(whole.id, "the reply was cut off before this block was complete. Send it again, whole.");
        else if (end.stop) yield* notRun(whole.id, "a block before it in the same reply was not run.");
        else {
          const stop = yield* run(whole);
          if (stop) end.stop = stop;
        }
        break;
      }
      case "usage":
        yield* writer.end();
        end.usage = event.usage;
        yield { role: "server", type: "usage", content: { ...event.usage } };
        break;
      case "notice":
        yield* writer.end();
        yield notice("model", event.text);
        break;
      case "retry": {
        yield* writer.end();
        const { kind, message, hint } = event.failure;
        const wait = (event.delay / 1000).toFixed(event.delay < 10_000 ? 1 : 0);
        // What was refused is not asked again unchanged: the hint says what is done instead.
        yield notice(kind, `${message} ${kind === "bad-request" ? hint : `Trying again in ${wait} s.`}`);
        break;
      }
      case "failure":
        end.failure = event.failure;
        yield* writer.end({ incomplete: true });
        break;
      case "finish":
        yield* writer.end(event.reason === "stop" || event.reason === "other" ? {} : { incomplete: true });
        if (event.reason === "length" && end.blocks === 0) {
          yield notice(
            "length",
            "The reply was cut at the longest length allowed.",
            "Say “go on”, or raise --max_tokens.",
          );
        } else if (event.reason === "content-filter") {
          yield notice("content-filter", "The provider's content filter ended the reply.", "Say it in other words.");
        }
    }
  }
  yield* writer.end();
  return end;
}

function headerOf(block: WrittenBlock) {
  return { role: "assistant", type: "code", format: block.language } as const;
}

/** Tells the model, in the place where output would be, why there is none. */
export function* notRun(id: string, why: string, status: "not-run" | "refused" = "not-run"): Generator<Chunk> {
  const console = { role: "computer", type: "console", format: "output" } as const;
  yield* new BlockWriter().message(console, `Not run: ${why}\n`, { id, status });
}
