// The markdown dialect: a block is a fence with the name of a language, for models that have no tools.

import { type Block, openBlock } from "../repair.ts";
import type { ReaderContext, ReplyReader } from "./dialect.ts";
import { createFenceReader } from "./fences.ts";
import { createReplyText, emitCall } from "./text-reader.ts";

export function createMarkdownReader(context: ReaderContext): ReplyReader {
  const { languages } = context;
  let block: Block | undefined;
  /** What is thought while a block is open waits for its end. */
  const thoughts: string[] = [];
  const reasoning = (text: string): void => {
    if (block) thoughts.push(text);
    else context.emit({ type: "reasoning-delta", text });
  };
  const newFences = () =>
    createFenceReader(languages, {
      text: (text) => context.emit({ type: "text-delta", text }),
      open(label) {
        block = openBlock(context.newId(), label, languages, context.emit);
      },
      code: (text) => block?.write(text),
      close(complete) {
        block?.end(complete);
        block = undefined;
        for (const text of thoughts.splice(0)) reasoning(text);
      },
    });
  let fences = newFences();
  const said = createReplyText(languages, {
    text: (text) => fences.write(text),
    inFence: () => fences.inside,
    reasoning,
    call(found, complete) {
      fences.end("whole");
      fences = newFences();
      emitCall(context, found, complete);
    },
  });

  return {
    read(part) {
      if (part.type === "text-delta") said.write(part.delta);
      else if (part.type === "reasoning-delta" && part.delta) reasoning(part.delta);
    },
    end(ending) {
      said.end(ending);
      fences.end(ending);
    },
  };
}
