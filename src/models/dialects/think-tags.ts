// Some servers leave a model's thinking in its text, between tags at the beginning; it is reasoning, and code in it must
// not run.

export interface ThinkSink {
  text(text: string): void;
  reasoning(text: string): void;
}

export interface TextStage {
  write(text: string): void;
  end(): void;
}

const pairs: readonly (readonly [opening: string, closing: string])[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["[THINK]", "[/THINK]"],
  ["<seed:think>", "</seed:think>"],
  ["◁think▷", "◁/think▷"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
];
/** Says only that the answer begins. */
const answerTag = "<|START_RESPONSE|>";

export function createThinkSplitter(sink: ThinkSink): TextStage {
  /** `gap`: between thinking and answer, where more thinking may follow. */
  let state: "start" | "thinking" | "gap" | "after" = "start";
  let closing = "";
  let held = "";

  /** False when more text is needed. */
  const begin = (): boolean => {
    const text = held.trimStart();
    const found = pairs.find(([opening]) => text.startsWith(opening));
    if (found) {
      [state, closing, held] = ["thinking", found[1], text.slice(found[0].length)];
      return true;
    }
    if (text.startsWith(answerTag)) {
      [state, held] = ["gap", text.slice(answerTag.length)];
      return true;
    }
    if ([...pairs, [answerTag]].some(([opening]) => opening!.startsWith(text))) return false;
    // The blank lines between thinking and answer belong to neither.
    if (state === "gap") held = text;
    state = "after";
    return true;
  };

  const think = (): boolean => {
    const end = held.indexOf(closing);
    const ready = end >= 0 ? end : held.length - overlap(held, closing);
    if (ready > 0) sink.reasoning(held.slice(0, ready));
    held = held.slice(end >= 0 ? end + closing.length : ready);
    if (end >= 0) state = "gap";
    return end >= 0;
  };

  const advance = (): void => {
    while (held !== "") {
      if (state === "after") {
        sink.text(held);
        held = "";
      } else if (!(state === "thinking" ? think() : begin())) return;
    }
  };

  return {
    write(text) {
      held += text;
      advance();
    },
    end() {
      if (held.trim() === "" && state === "gap") held = "";
      if (held) (state === "thinking" ? sink.reasoning : sink.text)(held);
      held = "";
    },
  };
}

/** How many characters at the end of `text` could be the beginning of `word`. */
export function overlap(text: string, word: string): number {
  for (let length = Math.min(text.length, word.length - 1); length > 0; length--)
    if (word.startsWith(text.slice(text.length - length))) return length;
  return 0;
}
