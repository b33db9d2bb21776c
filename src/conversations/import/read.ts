// Brings a notebook of any version that is about into the form of version 4. What cannot be read is left out and said.

import { InputProblem } from "../../settings/index.ts";
import { type Cell, joined, type Output } from "../notebook/format.ts";

export interface ReadNotebook {
  cells: Cell[];
  metadata: Record<string, unknown>;
  problems: string[];
}

export function readNotebook(value: unknown, name: string): ReadNotebook {
  const { nbformat, cells, worksheets, metadata } = Object(value) as Record<string, unknown>;
  const list = Array.isArray(cells) ? cells : Array.isArray(worksheets) ? worksheets.flatMap(cellsOfSheet) : undefined;
  if (typeof value !== "object" || value === null || !list)
    throw new InputProblem(
      `${name} is JSON, but not a notebook: it has no cells.`,
      "A notebook is a file that Jupyter has written, with a list of cells.",
    );
  const problems: string[] = [];
  if (typeof nbformat === "number" && nbformat > 4)
    problems.push(`${name} is written in version ${nbformat} of the format; what is known of it was read.`);
  const old = !Array.isArray(cells);
  const read = list.flatMap((cell, index) => {
    const known = isObject(cell) ? toCell(cell, old) : undefined;
    if (!known) problems.push(`Cell ${index + 1} could not be read and was left out.`);
    return known ?? [];
  });
  return { cells: read, metadata: isObject(metadata) ? metadata : {}, problems };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const cellsOfSheet = (sheet: unknown): unknown[] => {
  const { cells } = Object(sheet) as { cells?: unknown };
  return Array.isArray(cells) ? cells : [];
};

function toCell(cell: Record<string, unknown>, old: boolean): Cell | undefined {
  const { cell_type, metadata, id, attachments } = cell;
  const source = cell.source ?? cell.input;
  if (typeof cell_type !== "string" || !(typeof source === "string" || Array.isArray(source))) return undefined;
  const common = {
    metadata: isObject(metadata) ? metadata : {},
    source: joined(source),
    ...(typeof id === "string" && { id }),
    ...(isObject(attachments) && { attachments: attachments as NonNullable<Cell["attachments"]> }),
  };
  if (cell_type === "heading") {
    const level = Math.min(6, Math.max(1, Number(cell.level) || 1));
    return { ...common, cell_type: "markdown", source: `${"#".repeat(level)} ${common.source}` };
  }
  if (cell_type !== "code") return { ...common, cell_type };
  const outputs = Array.isArray(cell.outputs) ? cell.outputs.filter(isObject) : [];
  const count = cell.execution_count ?? cell.prompt_number;
  return {
    ...common,
    cell_type,
    execution_count: typeof count === "number" ? count : null,
    outputs: old ? outputs.map(toOutput) : (outputs as unknown as Output[]),
  };
}

/** What version 3 called its data. */
const names: Record<string, string> = {
  text: "text/plain",
  html: "text/html",
  svg: "image/svg+xml",
  png: "image/png",
  jpeg: "image/jpeg",
  latex: "text/latex",
  json: "application/json",
  javascript: "application/javascript",
};

function toOutput(output: Record<string, unknown>): Output {
  const { output_type, stream, prompt_number } = output;
  if (output_type === "stream")
    return { output_type, name: String(stream ?? "stdout"), text: joined(output.text) } as Output;
  if (output_type === "pyerr") return { ...output, output_type: "error" } as unknown as Output;
  const data = Object.fromEntries(
    Object.entries(names).flatMap(([old, mime]) => (output[old] === undefined ? [] : [[mime, joined(output[old])]])),
  );
  if (output_type === "pyout")
    return { output_type: "execute_result", data, metadata: {}, execution_count: Number(prompt_number) || null };
  return { output_type: "display_data", data, metadata: {} };
}
