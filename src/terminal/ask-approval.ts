// The question before a block runs: what it seems to do, and what may be answered: a letter, a word, or a sentence for the model.

import type { Block, Decision, Kind } from "../agent/index.ts";
import type { Interpreter } from "../interpreter/index.ts";
import type { LineReader } from "./line-reader.ts";
import { sanitize } from "./sanitize.ts";
import type { Style } from "./style.ts";
import { foldWords } from "./text/fold-words.ts";
import type { View } from "./view.ts";
import { isUnclear, saysNo, saysYes } from "./yes-no.ts";

export interface ApprovalScreen {
  lines: LineReader;
  style: Style;
  print(text: string): void;
  /** Ends the line that is being shown. */
  settle(): void;
  /** How a file of this language ends, for the person's editor. */
  extension(language: string): string;
  /** What the code does, in a model's words. */
  explain(block: Block, signal: AbortSignal): AsyncIterable<string>;
  /** Gives the block to the person's own shell instead of running it, where there is one that takes it. */
  handOver?(block: Block): Decision | undefined;
}

export const approvalScreen = (interpreter: Interpreter, lines: LineReader, view: View): ApprovalScreen => ({
  lines,
  style: view.style,
  print: view.print,
  settle: view.settle,
  extension: (language) => interpreter.sessions.find(language)?.extension ?? "txt",
  explain: ({ language, code }, signal) => interpreter.explain(language, code, { signal }),
});

export async function askApproval(block: Block, screen: ApprovalScreen, signal: AbortSignal): Promise<Decision> {
  const { lines, style, print } = screen;
  screen.settle();
  const letters = screen.handOver ? "y p n e a ?" : "y n e a ?";
  const question = `${style.bold("Run this?")} ${looksLike(block.kinds, style)} ${style.dim(`${letters}, or what to change:`)} `;
  if (block.because) print(style.yellow(`A rule asks: ${sanitize(block.because)}\n`));
  const columns = process.stdout.columns || 80;
  const showFindings = async (all: boolean): Promise<void> => {
    if (!block.findings) return;
    const { findingsText, isLong } = await import("./safety.ts");
    if (!all || isLong(block.findings)) print(findingsText(block.findings, { style, columns, all }));
  };
  const put = screen.handOver ? " p puts it on the line of your own shell," : "";
  const letterWords = `y runs it,${put} n does not, e edits it, a runs all of this kind, ? explains it. A sentence is for the model, and runs nothing.`;
  const showLetters = (): void => print(style.dim(`${foldWords(letterWords, columns - 1)}\n`));
  await showFindings(false);
  for (;;) {
    const answer = await lines.line(question, { signal });
    if (answer === undefined) return { type: "refuse" };
    if (screen.handOver && /^p$/i.test(answer.trim())) {
      const decision = screen.handOver(block);
      if (decision) return decision;
      print(style.dim("Only a shell command can be put on the line of your shell.\n"));
      continue;
    }
    const decision = readAnswer(answer);
    if (decision === "edit") {
      const { editElsewhere } = await import("./external-editor.ts");
      const resume = lines.suspend();
      const edited = await editElsewhere(block.code, `block.${screen.extension(block.language)}`).finally(resume);
      // Left as it was, it was only looked at.
      if (edited === undefined || edited === block.code) continue;
      return edited.trim() === "" ? { type: "refuse" } : { type: "edit", code: edited };
    }
    if (decision === "explain") {
      showLetters();
      await showFindings(true);
      for await (const text of screen.explain(block, signal)) print(style.dim(sanitize(text)));
      print("\n");
    } else if (decision === "always") {
      print(
        style.dim(`From now on, code that ${inWords(block.kinds)} runs without asking. %auto_run off asks again.\n`),
      );
      return { type: "always", kinds: block.kinds };
    } else if (decision) return decision;
    else showLetters();
  }
}

const grave: ReadonlySet<Kind> = new Set(["deletes files", "changes the system"]);

function looksLike(kinds: readonly Kind[], style: Style): string {
  const paint = kinds.some((kind) => grave.has(kind)) ? style.red : style.dim;
  return paint(`(${inWords(kinds)})`);
}

/** "only computes", "reads files and uses the network". */
export function inWords(kinds: readonly Kind[]): string {
  if (kinds.length === 1 && kinds[0] === "computes") return "only computes";
  if (kinds.length === 1 && kinds[0] === "runs code") return "may do anything";
  const last = kinds.at(-1)!;
  return kinds.length === 1 ? last : `${kinds.slice(0, -1).join(", ")} and ${last}`;
}

/** What an answer means; undefined when it means nothing and the question is asked again. */
export function readAnswer(answer: string): Decision | "edit" | "explain" | "always" | undefined {
  const text = answer.trim();
  const word = text.toLowerCase().replace(/[.!,]+$/, "");
  if (saysYes(text, ["run it", "run", "go"])) return { type: "run" };
  if (saysNo(text)) return { type: "refuse" };
  if (["e", "edit"].includes(word)) return "edit";
  if (["a", "always"].includes(word)) return "always";
  if (["?", "explain", "what", "why"].includes(word)) return "explain";
  // A command is none here, and something too short to be a wish is a slip.
  if (/^[%/!]/.test(text) || text.length < 4 || isUnclear(text)) return undefined;
  return { type: "refuse", words: /^(?:n|no)[,.:;]?\s+(.+)$/is.exec(text)?.[1] ?? text };
}
