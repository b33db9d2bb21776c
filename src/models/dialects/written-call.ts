// Local models often write a tool call out as text instead of making it. A tagged call is recognised anywhere but in
// what is quoted as code; a bare one only where a line begins, and as the rest of the reply.

import { looksLikeCall, readBareCalls } from "./bare-call.ts";
import { readCalls } from "./call-body.ts";
import { type CallTag, callTags, strayClosers } from "./call-tags.ts";
import type { Ending } from "./dialect.ts";
import type { LooseCall } from "./loose-call.ts";

export interface WrittenCallSink {
  text(text: string): void;
  call(call: LooseCall, complete: boolean): void;
  /** Whether the text passed on so far ends inside a fenced block; when nobody else knows, fences are counted here. */
  inFence?(): boolean;
}

export interface WrittenCallStage {
  write(text: string): void;
  end(ending: Ending): void;
}

/** Where something other than text may begin. */
const stops = /[\n<[✿]/;
/** The end of thinking whose beginning the server kept to itself. */
const strayThoughts = ["</think>", "</thinking>", "[/THINK]"];
/** Nobody writes a call as long as this; */
const longestCall = 2_000_000;
/** text with more tags than these is about tags. */
const mostMentions = 50;
const longestFenceLine = 1_000;

/** Finds calls in running text. */
export function createWrittenCalls(languages: readonly string[], sink: WrittenCallSink): WrittenCallStage {
  let held = "";
  /** What has been passed on of the current line, and how many backticks are in that. */
  let line = "";
  let ticks = 0;
  /** The marks of the fence around this text, if there is one. */
  let fence = "";
  const inFence = sink.inFence ?? (() => fence !== "");
  let tag: CallTag | undefined;
  /** How much of what is held has no closing tag in it. */
  let searched = 0;
  let afterCall = false;
  /** This line is no call after all. */
  let judged = false;
  /** Nothing has been said yet. */
  let fresh = true;
  /** Tags that turned out to be mere words. */
  let mentions = 0;

  const pass = (count: number): void => {
    const text = held.slice(0, count);
    held = held.slice(count);
    sink.text(text);
    const lines = text.split("\n");
    for (const [index, part] of lines.entries()) {
      if (line.length < longestFenceLine) line += part;
      ticks += part.split("`").length - 1;
      if (index === lines.length - 1) break;
      fence = fenceAfter(fence, line);
      [line, ticks, judged] = ["", 0, false];
    }
    fresh = false;
  };

  /** The tag was only mentioned: what follows is read as text again. */
  const dropTag = (): void => {
    held = tag!.open + held;
    const { length } = tag!.open;
    tag = undefined;
    mentions++;
    pass(length);
  };

  const finish = (body: string, closer: string, complete: boolean): boolean => {
    const text = tag!.inside ? tag!.open + body + closer : body;
    const found = readCalls(text, languages);
    const calls = found.length > 0 || !tag!.code ? found : codeIn(body);
    for (const call of calls) sink.call(call, complete);
    if (calls.length === 0) return false;
    held = held.slice(body.length + closer.length);
    [tag, afterCall] = [undefined, true];
    return true;
  };

  /** False when more text is needed. */
  const readTag = (ending: Ending | undefined): boolean => {
    if ((!tag!.code && isProse(held)) || held.length > longestCall) dropTag();
    else {
      const from = Math.max(0, searched - 40);
      const ends = tag!.close.map((closer) => ({ closer, at: held.indexOf(closer, from) })).filter(({ at }) => at >= 0);
      const first = ends.sort((a, b) => a.at - b.at)[0];
      searched = held.length;
      if (!first && !ending) return false;
      const complete = first !== undefined || ending === "whole";
      if (!finish(held.slice(0, first?.at), first?.closer ?? "", complete)) dropTag();
    }
    return true;
  };

  /** What is left of tags behind a call is dropped. False when more text is needed. */
  const readStray = (ending: Ending | undefined): boolean => {
    const rest = held.trimStart();
    const stray = strayClosers.find((closer) => rest.startsWith(closer));
    if (stray) held = rest.slice(stray.length);
    else if (!ending && strayClosers.some((closer) => closer.startsWith(rest))) return false;
    else afterCall = false;
    return true;
  };

  /** At the beginning of a line: true when this is held back, or has become a call. */
  const readBare = (ending: Ending | undefined): boolean => {
    const likeness = held.length > longestCall ? "no" : looksLikeCall(held, languages);
    if (likeness === "no") return false;
    if (!ending) return true;
    judged = true;
    const found = likeness === "yes" ? readBareCalls(held, ending, languages) : undefined;
    if (!found) return false;
    for (const call of found.calls) sink.call(call, ending === "whole");
    held = "";
    if (found.rest) sink.text(found.rest);
    return true;
  };

  const readStop = (ending: Ending | undefined): boolean => {
    const quoted = inFence() || ticks % 2 === 1 || mentions > mostMentions;
    const found = quoted ? undefined : callTags.find(({ open }) => held.startsWith(open));
    const thought = line.trim() === "" && !quoted ? strayThoughts.find((closer) => held.startsWith(closer)) : undefined;
    if (found) {
      [tag, searched] = [found, 0];
      held = held.slice(found.open.length);
    } else if (thought) held = held.slice(thought.length);
    else if (!ending && !quoted && mayBegin(held)) return false;
    else pass(1);
    return true;
  };

  const advance = (ending?: Ending): void => {
    while (held !== "") {
      if (tag) {
        if (!readTag(ending)) return;
        continue;
      }
      if (afterCall) {
        if (!readStray(ending)) return;
        continue;
      }
      const gap = line === "" && !fresh ? /^(?:[ \t]*\r?\n)+/.exec(held) : null;
      if (!gap && line === "" && !judged && !inFence() && readBare(ending)) return;
      const stop = gap ? gap[0].length : held.search(stops);
      if (stop !== 0) pass(stop < 0 ? held.length : stop);
      else if (!readStop(ending)) return;
    }
  };

  return {
    write(text) {
      held += text;
      advance();
    },
    end(ending) {
      advance(ending);
      if (tag) sink.text(tag.open);
      tag = undefined;
    },
  };
}

const mayBegin = (text: string): boolean =>
  callTags.some(({ open }) => open.startsWith(text)) || strayThoughts.some((closer) => closer.startsWith(text));

/** Words after the tag: somebody speaks of it. */
const isProse = (body: string): boolean => /^[ \t]*(?:[A-Za-z]+,?[ \t]+[a-z]|[.,;:!?)’])/.test(body);

/** Between these tags code may stand by itself, or in a fence. */
function codeIn(body: string): LooseCall[] {
  const code = /^\s*`{3,}[\w-]*\n([\s\S]*?)\n?`{3,}\s*$/.exec(body)?.[1] ?? body.trim();
  return code === "" ? [] : [{ language: "python", code }];
}

function fenceAfter(fence: string, line: string): string {
  const [, marks = "", rest = ""] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (marks === "") return fence;
  if (fence === "") return rest.includes("`") ? "" : marks;
  return marks.startsWith(fence) && rest.trim() === "" ? "" : fence;
}
