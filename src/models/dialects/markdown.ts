// The markdown dialect: a block is a fence with the name of a language, for models that have no tools.

import { type Block, openBlock } from "../repair.ts";
import type { ReaderContext, ReplyReader } from "./dialect.ts";
import { createFenceReader } from "./fences.ts";
import { emitCall } from "./text-reader.ts";
import { createThinkSplitter } from "./think-tags.ts";
import { createTaggedCalls, createWholeReplyGate } from "./written-call.ts";

export function createMarkdownReader(context: ReaderContext): ReplyReader {
  let block: Block | undefined;
  /** What is thought while a block is open waits for its end. */
  const thoughts: string[] = [];
  const reasoning = (text: string): void => {
    if (block) thoughts.push(text);
    else context.emit({ type: "reasoning-delta", text });
  };
  const call: Parameters<typeof createTaggedCalls>[0]["call"] = (found, complete) => emitCall(context, found, complete);
  const newTagged = () => createTaggedCalls({ text: (text) => context.emit({ type: "text-delta", text }), call });
  let tagged = newTagged();
  const fences = createFenceReader(context.languages, {
    text: (text) => tagged.write(text),
    open(label) {
      tagged.end("whole");
      tagged = newTagged();
      block = openBlock(context.newId(), label, context.languages, context.emit);
    },
    code: (text) => block?.write(text),
    close(complete) {
      block?.end(complete);
      block = undefined;
      for (const text of thoughts.splice(0)) reasoning(text);
    },
  });
  const gate = createWholeReplyGate({ text: fences.write, call });
  const thought = createThinkSplitter({ text: gate.write, reasoning });

  return {
    read(part) {
      if (part.type === "text-delta") thought.write(part.delta);
      else if (part.type === "reasoning-delta" && part.delta) reasoning(part.delta);
    },
    end(ending) {
      thought.end();
      gate.end(ending);
      fences.end(ending);
      tagged.end(ending);
    },
  };
}
