// Some servers leave a model's thinking in its text as `<think>…</think>` at the beginning; it is reasoning, and code
// in it must not run.

export interface ThinkSink {
  text(text: string): void;
  reasoning(text: string): void;
}

export interface TextStage {
  write(text: string): void;
  end(): void;
}

const opening = "<think>";
const closing = "</think>";

export function createThinkSplitter(sink: ThinkSink): TextStage {
  let state: "start" | "thinking" | "gap" | "after" = "start";
  let held = "";

  /** The blank lines between thinking and answer belong to neither. */
  const cross = (text: string): void => {
    const rest = text.trimStart();
    if (!rest) return;
    state = "after";
    sink.text(rest);
  };

  const think = (): void => {
    const end = held.indexOf(closing);
    if (end >= 0) {
      if (end > 0) sink.reasoning(held.slice(0, end));
      const rest = held.slice(end + closing.length);
      [state, held] = ["gap", ""];
      cross(rest);
      return;
    }
    const keep = overlap(held, closing);
    const ready = held.slice(0, held.length - keep);
    held = held.slice(held.length - keep);
    if (ready) sink.reasoning(ready);
  };

  return {
    write(text) {
      if (state === "after") return sink.text(text);
      if (state === "gap") return cross(text);
      held += text;
      if (state === "start") {
        const trimmed = held.trimStart();
        if (opening.startsWith(trimmed)) return;
        if (trimmed.startsWith(opening)) {
          [state, held] = ["thinking", trimmed.slice(opening.length)];
        } else {
          state = "after";
          sink.text(held);
          held = "";
          return;
        }
      }
      think();
    },
    end() {
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
