// Some servers leave a model's own marks for "this is the end" in its text. At the end of a reply they are dropped.

import type { TextStage } from "./think-tags.ts";

const tokens = [
  "<|im_end|>",
  "<|eot_id|>",
  "<|eom_id|>",
  "<|eot|>",
  "<|end|>",
  "<|call|>",
  "<|return|>",
  "<|stop|>",
  "<|endoftext|>",
  "<|end_of_text|>",
  "<|end_of_turn|>",
  "<|END_RESPONSE|>",
  "<|END_OF_TURN_TOKEN|>",
  "<｜end▁of▁sentence｜>",
  "<end_of_turn>",
  "<eos>",
  "</s>",
];

const escaped = (text: string): string => text.replace(/[|[\]/\\]/g, "\\$&");
/** `abc` as `a(?:b(?:c)?)?`: any beginning of it. */
const beginnings = (token: string): string =>
  [...token].reduceRight((rest, char) => `${escaped(char)}${rest ? `(?:${rest})?` : ""}`, "");
const whole = `(?:${tokens.map(escaped).join("|")})`;
const tail = new RegExp(`(?:${whole}\\s*)*(?:${tokens.map(beginnings).join("|")})?$`);
const leading = new RegExp(`^(?:${whole}\\s*)+`);

export function createStopTokenDropper(next: (text: string) => void): TextStage {
  let held = "";
  return {
    write(text) {
      held += text;
      // Most text has nothing of the kind near its end.
      const from = held.lastIndexOf("<", held.length) < 0 ? held.length : tail.exec(held)!.index;
      if (from > 0) next(held.slice(0, from));
      held = held.slice(from);
    },
    end() {
      const rest = held.replace(leading, "");
      held = "";
      if (rest) next(rest);
    },
  };
}
