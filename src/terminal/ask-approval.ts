// The question before a block runs, and what may be answered: a letter, a word, or a sentence for the model.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Block, Decision } from "../agent/index.ts";
import type { LineReader } from "./line-reader.ts";
import type { Style } from "./style.ts";

export async function askApproval(
  block: Block,
  extension: string,
  lines: LineReader,
  style: Style,
  signal: AbortSignal,
): Promise<Decision> {
  for (;;) {
    const answer = await lines.line(
      `${style.bold("Run this?")} ${style.dim("[y]es [n]o [e]dit [a]lways, or what to change:")} `,
      {
        signal,
      },
    );
    if (answer === undefined) return { type: "refuse" };
    const decision = readAnswer(answer);
    if (decision === "edit") {
      const resume = lines.suspend();
      const edited = editText(block.code, extension);
      resume();
      if (edited === undefined) continue;
      return edited.trim() === "" ? { type: "refuse" } : { type: "edit", code: edited };
    }
    if (decision) return decision;
  }
}

/** What an answer means; undefined when it means nothing and the question is asked again. */
export function readAnswer(answer: string): Decision | "edit" | undefined {
  const text = answer.trim();
  const word = text.toLowerCase().replace(/[.!,]+$/, "");
  if (["y", "yes", "yep", "ok", "okay", "sure", "run", "run it", "go"].includes(word)) return { type: "run" };
  if (["n", "no", "nope", "don't", "stop"].includes(word)) return { type: "refuse" };
  if (["e", "edit"].includes(word)) return "edit";
  if (["a", "always", "all"].includes(word)) return { type: "always" };
  // A command is none here, and something too short to be a wish is a slip.
  if (/^[%/!]/.test(text) || text.length < 4) return undefined;
  return { type: "refuse", words: /^(?:n|no)[,.:;]?\s+(.+)$/is.exec(text)?.[1] ?? text };
}

/** The text as the person left it in their editor; undefined when the editor failed. */
function editText(text: string, extension: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "interpreter-edit-"));
  const path = join(folder, `block.${extension}`);
  try {
    writeFileSync(path, text, { mode: 0o600 });
    const editor = process.env.VISUAL || process.env.EDITOR || (process.platform === "win32" ? "notepad" : "vi");
    const result = spawnSync(`${editor} "${path}"`, { shell: true, stdio: "inherit" });
    if (result.status !== 0) {
      process.stdout.write(`The editor (${editor}) could not be used. Set EDITOR to the one you like.\n`);
      return undefined;
    }
    const edited = readFileSync(path, "utf8");
    return text.endsWith("\n") ? edited : edited.replace(/\n$/, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
