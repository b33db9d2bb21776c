// A conversation as a Jupyter notebook: words are markdown cells, blocks are code cells with what came of them. Each cell says
// what it was, so that reading the notebook again gives the same conversation.

import type { Message } from "../../messages/index.ts";
import { type Cell, type CellFacts, factsOf, inLines, type Notebook, ours, sealOf } from "../notebook/format.ts";
import { fenced, quoted } from "./markdown.ts";
import { outputsOf } from "./notebook-outputs.ts";
import { type BlockPart, oneLine, type Part, pictureType, statusOf, wasRun } from "./parts.ts";

/** What runs a block of another language in a notebook whose language is Python: really in Jupyter, each in a process of its own. */
const magics: Record<string, string> = {
  shell: "%%bash",
  bash: "%%bash",
  sh: "%%sh",
  zsh: "%%script zsh",
  javascript: "%%script node",
  ruby: "%%ruby",
  perl: "%%perl",
  r: "%%script Rscript -",
  lua: "%%script lua -",
  julia: "%%script julia -",
  powershell: "%%script pwsh -NoProfile -Command -",
  html: "%%html",
};

/** What a notebook does not run: a language without a magic, and what the person did not let run. */
const skip = "%%script --no-raise-error false";

export interface NotebookOptions {
  title: string;
  preface?: string;
}

type Unsealed = Omit<Cell, "metadata"> & { metadata?: Record<string, unknown>; facts: Omit<CellFacts, "seal"> };

export async function toNotebook(parts: readonly Part[], { title, preface }: NotebookOptions): Promise<string> {
  const kernelspec = kernelFor(parts);
  const python = kernelspec.language === "python";
  const heading = `# ${oneLine(title)}${preface ? `\n\n${preface}` : ""}`;
  const unsealed: Unsealed[] = [markdown(heading, { heading: true })];
  let count = 0;
  for (const part of parts) {
    if (part.kind === "block") unsealed.push(codeCell(part, python, wasRun(part) ? ++count : null));
    else
      unsealed.push(
        part.kind === "said" ? saidCell(part.message) : markdown(text(part.message), { whole: whole(part.message) }),
      );
  }
  const taken = new Set<string>();
  const cells = await Promise.all(
    unsealed.map(async ({ facts, metadata, ...cell }, index): Promise<Cell> => {
      const plain = { ...cell, metadata: {} };
      const id = freeId(facts.message?.id, index, taken);
      return { id, ...cell, metadata: { ...metadata, [ours]: { ...facts, seal: await sealOf(plain) } } };
    }),
  );
  const notebook: Notebook = {
    cells,
    metadata: {
      kernelspec,
      language_info: { name: kernelspec.language },
      [ours]: { version: 1, title: oneLine(title) },
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
  // A character that is half of one cannot be written to a file.
  return `${JSON.stringify(notebook, (_, value) => (typeof value === "string" ? value.toWellFormed() : value), 1)}\n`;
}

function codeCell(part: BlockPart, python: boolean, count: number | null): Unsealed {
  const { code } = part;
  const magic = python ? magicFor(part) : undefined;
  const { outputs, results } = outputsOf(part, count);
  const status = statusOf(part);
  return {
    cell_type: "code",
    execution_count: count,
    // Jupyter goes on after a cell that is known to fail.
    metadata: wasRun(part) && status !== "ok" ? { tags: ["raises-exception"] } : {},
    source: inLines(magic ? `${magic}\n${code.content}` : code.content),
    outputs,
    facts: { message: factsOf(code), ...(magic && { added: 1 }), results },
  };
}

function magicFor(part: BlockPart): string | undefined {
  if (!wasRun(part)) return skip;
  const { format = "" } = part.code;
  return format === "python" ? undefined : (magics[format] ?? skip);
}

function saidCell(message: Message): Unsealed {
  const type = pictureType(message);
  if (type) {
    const name = type === "image/png" ? "picture.png" : "picture.jpg";
    const attachments = { [name]: { [type]: message.content } };
    return { ...markdown(`![](attachment:${name})`, { message: factsOf(message) }), attachments };
  }
  if (message.type !== "message") return markdown(text(message), { whole: whole(message) });
  const source = message.role === "user" ? quoted(message.content) : message.content;
  return markdown(source, { message: factsOf(message) });
}

const markdown = (source: string, facts: Unsealed["facts"]): Unsealed => ({
  cell_type: "markdown",
  source: inLines(source),
  facts,
});

/** Something that a notebook has no form of its own for. */
function text({ type, format, content }: Message): string {
  if (type === "reasoning") return `<details><summary>Thinking</summary>\n\n${content}\n\n</details>`;
  if (type === "file") return `File: ${fenced("", content)}`;
  if (type === "image" && format?.startsWith("base64")) return "(a picture)";
  return type === "console" || type === "code" ? fenced(format ?? "text", content) : content;
}

function whole({ provider: _, ...message }: Message): Omit<Message, "provider"> {
  return message;
}

/** Python, unless every block is in one other language that has a kernel of its own. */
function kernelFor(parts: readonly Part[]): { display_name: string; language: string; name: string } {
  const languages = new Set(parts.flatMap((part) => (part.kind === "block" ? [part.code.format ?? ""] : [])));
  const [only = "python"] = languages;
  if (languages.size === 1 && only === "r") return { display_name: "R", language: "R", name: "ir" };
  if (languages.size === 1 && only.startsWith("jupyter:")) {
    const name = only.slice("jupyter:".length);
    return { display_name: name, language: name, name };
  }
  return { display_name: "Python 3", language: "python", name: "python3" };
}

/** Cells have names of letters, digits, - and _. */
function freeId(id: string | undefined, index: number, taken: Set<string>): string {
  const wanted = id && /^[\w-]{1,64}$/.test(id) && !taken.has(id) ? id : `cell-${index + 1}`;
  const free = taken.has(wanted) ? `cell-${index + 1}-again` : wanted;
  taken.add(free);
  return free;
}
