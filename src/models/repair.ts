// Cleans code of what models put around it by mistake, while it streams: ordinary code passes at once; code with a
// suspicious beginning waits for its end; a tail that may be a stammered `executeexecute` is held back.

import { isProse, languageOf } from "./dialects/labels.ts";
import { readLooseCall } from "./dialects/loose-call.ts";
import type { ModelEvent } from "./types.ts";

export interface Block {
  write(text: string): void;
  end(complete: boolean): void;
}

export function openBlock(
  id: string,
  label: string,
  languages: readonly string[],
  emit: (event: ModelEvent) => void,
): Block {
  let language = languageOf(label, languages);
  let head = "";
  let tail = "";
  let started = false;
  let suspicious = false;

  const start = (): void => {
    started = true;
    if (!isProse(language, languages)) emit({ type: "code-start", id, language });
  };

  const send = (text: string): void => {
    if (!text) return;
    if (isProse(language, languages)) emit({ type: "text-delta", text });
    else emit({ type: "code-delta", id, text });
  };

  const pass = (text: string): void => {
    const whole = tail + text;
    const kept = stammer(whole);
    tail = whole.slice(kept);
    send(whole.slice(0, kept));
  };

  return {
    write(text) {
      if (started) return pass(text);
      head += text;
      if (suspicious) return;
      const verdict = judge(head, language);
      if (verdict === "clean") {
        start();
        pass(head);
      } else suspicious = verdict === "suspicious";
    },
    end(complete) {
      if (!started) {
        const repaired = repair(head, language);
        language = languageOf(repaired.language, languages);
        start();
        pass(repaired.code);
      }
      send(/^(?:execute){2,}$/.test(tail) ? "" : tail);
      if (!isProse(language, languages)) emit({ type: "code-end", id, complete });
    },
  };
}

/** Where a tail made of `execute`, whole or begun, starts. */
const stammer = (text: string): number => /(?:execute)*(?:execut|execu|exec|exe|ex|e)?$/.exec(text)!.index;

const openers = ["`", "functions.execute(", "execute(", "{"];
const shells = /^(shell|bash|sh|zsh)$/;

function judge(head: string, language: string): "clean" | "suspicious" | "undecided" {
  const text = head.trimStart();
  if (text === "") return "undecided";
  if (shells.test(language) && (text === "$" || text.startsWith("$ ")))
    return text === "$" ? "undecided" : "suspicious";
  const opener = openers.find((candidate) => text.startsWith(candidate) || candidate.startsWith(text));
  if (opener === undefined) return "clean";
  if (text.length < opener.length) return "undecided";
  if (opener === "`") return judgeBackticks(text, language);
  if (opener === "{") return judgeObject(text);
  return "suspicious";
}

/** A backtick alone on the first line, or a fence; in a shell or in JavaScript a backtick may be honest. */
function judgeBackticks(text: string, language: string): "clean" | "suspicious" | "undecided" {
  if (/^`+$/.test(text)) return "undecided";
  if (text.startsWith("```")) return "suspicious";
  if (/^`\r?\n/.test(text)) return "suspicious";
  return language === "python" ? "suspicious" : "clean";
}

function judgeObject(text: string): "clean" | "suspicious" | "undecided" {
  const key = /^\{\s*["'`]?(\w*)/.exec(text)![1]!;
  const words = ["language", "lang", "code", "name", "arguments"];
  if (words.includes(key)) return "suspicious";
  const begun = /^\{\s*["'`]?\w*$/.test(text);
  return begun && words.some((word) => word.startsWith(key)) ? "undecided" : "clean";
}

function repair(text: string, language: string): { language: string; code: string } {
  const bare = text.trim();
  const fenced = /^(`{3,})([^\n`]*)\n([\s\S]*?)\n?(?:\1`*)?$/.exec(bare);
  if (fenced) return { language: fenced[2]!.trim().split(/\s/)[0] || language, code: fenced[3]! };
  if (/^`\r?\n/.test(bare)) return repair(bare.replace(/^`\r?\n/, "").replace(/\n`$/, ""), language);
  if (/^`[^`]*`$/.test(bare) && language === "python") return { language, code: bare.slice(1, -1) };
  if (/^(?:functions\.)?execute\s*\(|^\{/.test(bare)) {
    const call = readLooseCall(bare.replace(/(?:execute){2,}$/, ""));
    if (call && (call.language !== undefined || !bare.startsWith("{")))
      return { language: call.language ?? language, code: call.code };
  }
  const lines = text.split("\n");
  if (shells.test(language) && lines.every((line) => line.trim() === "" || /^\s*\$ /.test(line)))
    return { language, code: lines.map((line) => line.replace(/^\s*\$ /, "")).join("\n") };
  return { language, code: text };
}
