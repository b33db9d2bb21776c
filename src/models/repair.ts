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

const openers = ["`", "functions.execute(", "execute(", "print(execute(", "default_api.execute(", "{"];
const shells = /^(shell|bash|sh|zsh)$/;
/** What stands before a line in a transcript, by language. */
const prompts: readonly { languages: RegExp; prompt: string; further: RegExp }[] = [
  { languages: shells, prompt: "$ ", further: /^\s*> ?/ },
  { languages: /^python$/, prompt: ">>> ", further: /^\s*\.\.\.(?: |$)/ },
];

function judge(head: string, language: string): "clean" | "suspicious" | "undecided" {
  const text = head.trimStart();
  if (text === "") return "undecided";
  const transcript = prompts.find(({ languages }) => languages.test(language));
  if (transcript && text.startsWith(transcript.prompt)) return "suspicious";
  if (transcript?.prompt.startsWith(text)) return "undecided";
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
  if (/^(?:print\()?(?:functions\.|default_api\.)?execute\s*\(|^\{/.test(bare)) {
    const call = readLooseCall(bare.replace(/(?:execute){2,}$/, ""));
    if (call && (call.language !== undefined || !bare.startsWith("{")))
      return { language: call.language ?? language, code: call.code };
  }
  return { language, code: withoutPrompts(text, language) };
}

/** A transcript is what was typed: lines with a prompt, what goes on from them, and nothing of what was printed. */
function withoutPrompts(text: string, language: string): string {
  const transcript = prompts.find(({ languages }) => languages.test(language));
  if (!transcript || !text.trimStart().startsWith(transcript.prompt)) return text;
  const { prompt, further } = transcript;
  const typed: string[] = [];
  /** The line on which a here-document ends. */
  let until: string | undefined;
  for (const line of text.split("\n")) {
    const goesOn = typed.at(-1)?.endsWith("\\") ?? false;
    if (until !== undefined) {
      typed.push(line);
      if (line.trim() === until) until = undefined;
    } else if (line.trimStart().startsWith(prompt)) {
      typed.push(line.trimStart().slice(prompt.length));
      until = language === "python" ? undefined : /<<-?\s*["']?(\w+)/.exec(line)?.[1];
    } else if (goesOn || further.test(line)) typed.push(line.replace(further, ""));
    else if (line.trim() === "" || line.trim() === prompt.trim()) typed.push("");
  }
  return typed.join("\n");
}
