// The way gpt-oss speaks when its server does not read it: a reply of segments, each with a header that names its
// channel and whom it is for, as in `<|channel|>commentary to=functions.execute <|message|>{…}<|call|>`.

import { readCalls } from "./call-body.ts";
import type { Ending } from "./dialect.ts";
import { overlap } from "./think-tags.ts";
import type { WrittenCallSink, WrittenCallStage } from "./written-call.ts";

export interface HarmonySink extends WrittenCallSink {
  reasoning(text: string): void;
}

const beginnings = ["<|channel|>", "<|start|>"];
const ends = ["<|end|>", "<|call|>", "<|return|>", "<|start|>", "<|channel|>"];
const message = "<|message|>";
/** A header that goes on for longer is none. */
const longestHeader = 300;

export function createHarmonyReader(languages: readonly string[], sink: HarmonySink): WrittenCallStage {
  let state: "start" | "header" | "body" | "plain" = "start";
  let held = "";
  let channel = "";
  let recipient = "";

  const give = (text: string): void => {
    if (text === "" || recipient !== "") return;
    (channel === "analysis" ? sink.reasoning : sink.text)(text);
  };

  const finish = (body: string, complete: boolean): void => {
    if (recipient === "") give(body);
    else {
      // Its own tool is called `python`, and takes code as it is.
      const calls = readCalls(`${recipient}\n${body}`, languages);
      for (const call of calls) sink.call(call, complete);
      if (calls.length === 0 && body.trim() !== "") sink.text(body);
    }
  };

  /** False when more text is needed. */
  const readHeader = (): boolean => {
    const at = held.indexOf(message);
    if (at < 0 && held.length <= longestHeader) return false;
    if (at < 0) {
      state = "plain";
      return true;
    }
    const header = held.slice(0, at);
    channel = /<\|channel\|>\s*(\w+)/.exec(header)?.[1] ?? "final";
    recipient = /\bto=([\w.]+)/.exec(header)?.[1] ?? "";
    held = held.slice(at + message.length);
    state = "body";
    return true;
  };

  const readBody = (): boolean => {
    const found = ends.map((token) => ({ token, at: held.indexOf(token) })).filter(({ at }) => at >= 0);
    const first = found.sort((a, b) => a.at - b.at)[0];
    if (!first) {
      if (recipient !== "") return false;
      const ready = held.length - Math.max(...ends.map((token) => overlap(held, token)));
      give(held.slice(0, ready));
      held = held.slice(ready);
      return false;
    }
    finish(held.slice(0, first.at), true);
    const opens = beginnings.includes(first.token);
    held = held.slice(first.at + (opens ? 0 : first.token.length));
    state = "start";
    return true;
  };

  const readStart = (): boolean => {
    const text = held.trimStart();
    if (beginnings.some((token) => text.startsWith(token))) {
      [held, state] = [text, "header"];
      return true;
    }
    if (beginnings.some((token) => token.startsWith(text))) return false;
    state = "plain";
    return true;
  };

  const advance = (): void => {
    for (;;) {
      if (state === "plain") {
        if (held) sink.text(held);
        held = "";
        return;
      }
      const more = state === "start" ? readStart() : state === "header" ? readHeader() : readBody();
      if (!more) return;
    }
  };

  return {
    write(text) {
      held += text;
      advance();
    },
    end(ending: Ending) {
      if (state === "body") finish(held, ending === "whole");
      else if (held) sink.text(held);
      held = "";
    },
  };
}
