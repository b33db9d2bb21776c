// The code of a conversation as one file to run: Python with what other languages did as processes of their own, or plain
// shell or JavaScript where there is nothing else. Words are comments; so is what failed or was not run.

import { type BlockPart, oneLine, type Part, statusOf } from "./parts.ts";

export interface ScriptOptions {
  title: string;
  preface?: string;
  /** A block as a program says it that is not a session; as it was written where there is none. */
  translated?(part: BlockPart): string | undefined;
  /** Functions that translated blocks of Python use. */
  helpers?: string;
}

interface Kind {
  extension: string;
  comment: string;
  /** How it is started. */
  first?: string;
}

const kinds: Record<string, Kind> = {
  python: { extension: ".py", comment: "#" },
  shell: { extension: ".sh", comment: "#", first: "#!/usr/bin/env bash" },
  javascript: { extension: ".cjs", comment: "//" },
  ruby: { extension: ".rb", comment: "#" },
  r: { extension: ".R", comment: "#" },
  perl: { extension: ".pl", comment: "#" },
  lua: { extension: ".lua", comment: "--" },
  julia: { extension: ".jl", comment: "#" },
};

/** The programs that read a block from their standard input. */
const programs: Record<string, readonly string[]> = {
  shell: ["bash", "-s"],
  bash: ["bash", "-s"],
  sh: ["sh", "-s"],
  zsh: ["zsh", "-s"],
  javascript: ["node", "-"],
  ruby: ["ruby"],
  perl: ["perl"],
  r: ["Rscript", "-"],
  lua: ["lua", "-"],
  julia: ["julia", "-"],
  powershell: ["pwsh", "-NoProfile", "-Command", "-"],
};

const runProgram = `def run_program(command, text):
    """Runs a block of another language as a process of its own."""
    import subprocess
    import sys

    sys.stdout.flush()
    subprocess.run(command, input=text, text=True, check=True)`;

export function toScript(parts: readonly Part[], options: ScriptOptions): { text: string; extension: string } {
  const blocks = parts.filter((part) => part.kind === "block");
  const language = mainLanguage(blocks.filter((block) => statusOf(block) === "ok"));
  const { extension, comment, first } = kinds[language]!;
  const commented = (text: string): string =>
    text
      .split("\n")
      .map((line) => `${comment} ${line}`.trimEnd())
      .join("\n");
  const head = [commented([oneLine(options.title), ...(options.preface ? ["", options.preface] : [])].join("\n"))];
  const texts = parts.map((part) => {
    if (part.kind !== "block")
      return part.kind === "said" && part.message.type === "message" ? commented(part.message.content.trim()) : "";
    const code = (options.translated?.(part) ?? part.code.content).replace(/\s+$/, "");
    const status = statusOf(part);
    const { format = "" } = part.code;
    if (status !== "ok")
      return commented(`${status === "refused" || status === "not-run" ? "not run" : "failed"}:\n${code}`);
    if (format === language) return code;
    const program = language === "python" ? programs[format] : undefined;
    if (!program) return commented(`${format}, which this file cannot run:\n${code}`);
    return `run_program(${JSON.stringify(program)}, ${pythonText(code)})`;
  });
  const starts = texts.some((text) => text.startsWith("run_program(")) ? [runProgram] : [];
  const needs = [...starts, ...(options.helpers && language === "python" ? [options.helpers] : [])];
  // What is imported comes first.
  const at = parts.findIndex((part) => part.kind === "block" && part.code.id === "imports") + 1;
  const whole = [...head, ...texts.slice(0, at), ...needs, ...texts.slice(at)].filter((text) => text !== "");
  const isModule = language === "javascript" && texts.some((text) => /^(import|export)\s|\bawait\b/m.test(text));
  return { text: `${first ? `${first}\n` : ""}${whole.join("\n\n")}\n`, extension: isModule ? ".mjs" : extension };
}

/** The one language there is, if files of it can be run; otherwise Python, which can start the others. */
function mainLanguage(blocks: readonly BlockPart[]): string {
  const languages = new Set(blocks.map(({ code }) => code.format ?? ""));
  const [only = "python"] = languages;
  return languages.size === 1 && kinds[only] ? only : "python";
}

/** Text as Python writes it: in lines, where nothing in it stands against that. */
function pythonText(text: string): string {
  if (/\\|'''|'$|\r/.test(text)) return JSON.stringify(`${text}\n`).replace(/[\u007f-\uffff]/g, asCode);
  return `r'''\n${text}\n'''`;
}

const asCode = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
