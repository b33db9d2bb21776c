// What both dialects do with the text of a reply: marks of its end go, thinking is set apart, and calls written out as
// text become blocks.

import { openBlock } from "../repair.ts";
import { languageInName } from "./call-name.ts";
import type { Ending, ReaderContext } from "./dialect.ts";
import { createHarmonyReader, type HarmonySink } from "./harmony.ts";
import type { LooseCall } from "./loose-call.ts";
import { createStopTokenDropper } from "./stop-tokens.ts";
import { createThinkSplitter } from "./think-tags.ts";
import { createWrittenCalls } from "./written-call.ts";

export interface TextReader {
  write(text: string): void;
  end(ending: Ending): void;
}

/** The text of a reply in the tool dialect. */
export function createTextReader(context: ReaderContext): TextReader {
  return createReplyText(context.languages, {
    text: (text) => context.emit({ type: "text-delta", text }),
    reasoning: (text) => context.emit({ type: "reasoning-delta", text }),
    call: (call, complete) => emitCall(context, call, complete),
  });
}

/** What a reply says: `sink.text` gets what is neither thinking nor a call. */
export function createReplyText(languages: readonly string[], sink: HarmonySink): TextReader {
  const written = createWrittenCalls(languages, sink);
  const thought = createThinkSplitter({ text: written.write, reasoning: sink.reasoning });
  /** What was said before comes before. */
  const inOrder = <T extends unknown[]>(give: (...found: T) => void): ((...found: T) => void) => {
    return (...found) => {
      thought.end();
      written.end("whole");
      give(...found);
    };
  };
  const harmony = createHarmonyReader(languages, {
    text: thought.write,
    reasoning: inOrder(sink.reasoning),
    call: inOrder(sink.call),
  });
  const marks = createStopTokenDropper(harmony.write);
  return {
    write: marks.write,
    end(ending) {
      marks.end();
      harmony.end(ending);
      thought.end();
      written.end(ending);
    },
  };
}

export function emitCall(context: ReaderContext, call: LooseCall, complete: boolean): void {
  const language = call.language ?? languageInName(call.name, context.languages) ?? "python";
  const block = openBlock(context.newId(), language, context.languages, context.emit);
  block.write(call.code);
  block.end(complete);
}
