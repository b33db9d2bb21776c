// The text of a reply in the tool dialect: thinking is set apart, and calls written out as text become blocks.

import { openBlock } from "../repair.ts";
import type { Ending, ReaderContext } from "./dialect.ts";
import type { LooseCall } from "./loose-call.ts";
import { createThinkSplitter } from "./think-tags.ts";
import { createTaggedCalls, createWholeReplyGate } from "./written-call.ts";

export interface TextReader {
  write(text: string): void;
  end(ending: Ending): void;
}

/** `opening`: this is how the reply begins, so it may be a bare call. */
export function createTextReader(context: ReaderContext, opening: boolean): TextReader {
  const call = (found: LooseCall, complete: boolean): void => emitCall(context, found, complete);
  const text = (found: string): void => context.emit({ type: "text-delta", text: found });
  const tagged = createTaggedCalls({ text, call });
  const gate = createWholeReplyGate({ text: tagged.write, call });
  const thought = createThinkSplitter({
    text: opening ? gate.write : tagged.write,
    reasoning: (found) => context.emit({ type: "reasoning-delta", text: found }),
  });
  return {
    write: thought.write,
    end(ending) {
      thought.end();
      gate.end(ending);
      tagged.end(ending);
    },
  };
}

export function emitCall(context: ReaderContext, call: LooseCall, complete: boolean): void {
  const block = openBlock(context.newId(), call.language ?? "python", context.languages, context.emit);
  block.write(call.code);
  block.end(complete);
}
