// The code cells of a notebook: a Jupyter file, or a Python file whose cells begin with `# %%`.

import { readFileSync } from "node:fs";
import { basename } from "node:path";

export interface Notebook {
  name: string;
  cells: string[];
}

interface JupyterCell {
  cell_type: string;
  source: string | string[];
}

export function readNotebook(path: string): Notebook {
  const text = readFileSync(path, "utf8");
  return { name: basename(path), cells: path.endsWith(".ipynb") ? fromJupyter(text) : fromPercent(text) };
}

function fromJupyter(text: string): string[] {
  const { cells } = JSON.parse(text) as { cells: JupyterCell[] };
  return cells
    .filter(({ cell_type }) => cell_type === "code")
    .map(({ source }) => (typeof source === "string" ? source : source.join("")))
    .filter((source) => source.trim() !== "");
}

function fromPercent(text: string): string[] {
  return text
    .split(/^# %%.*\n/m)
    .slice(1)
    .map((source) => source.trimEnd())
    .filter((source) => source !== "");
}

/** The same cells as a Jupyter file, for those who want to open them in one. */
export function toJupyter({ cells }: Notebook): string {
  const code = cells.map((source, index) => ({
    id: `cell-${index + 1}`,
    cell_type: "code",
    metadata: {},
    execution_count: null,
    outputs: [],
    source,
  }));
  return `${JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells: code }, null, 1)}\n`;
}
