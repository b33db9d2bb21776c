// `npm run conformance -- notebook.ipynb …`: runs notebooks in our session and in ipykernel, and prints where they differ.

import { join } from "node:path";
import { readNotebook, toJupyter } from "./cells.ts";
import type { Difference } from "./compare.ts";
import { conform } from "./conform.ts";

const usage = `Usage: npm run -s conformance -- notebook.ipynb…

Runs the code cells of each notebook (or of a Python file with cells that begin with "# %%") in a Python session
of ours and in ipykernel, each in a fresh folder, and prints where the outputs differ. Ends with 1 when there is a
difference that docs/conformance.md does not explain. The environment is the one of INTERPRETER_TEST_PYTHON, which
needs ipykernel; by default the one of the tests.

  --jupyter    print the cells as a Jupyter file instead`;

const interpreter = process.env.INTERPRETER_TEST_PYTHON ?? join(import.meta.dirname, "../../.venv/bin/python");
const flags = new Set(process.argv.slice(2).filter((argument) => argument.startsWith("--")));
const paths = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));

if (paths.length === 0) {
  console.error(usage);
  process.exit(2);
}

let unexplained = 0;
for (const path of paths) {
  const notebook = readNotebook(path);
  if (flags.has("--jupyter")) {
    process.stdout.write(toJupyter(notebook));
    continue;
  }
  const differences = await conform(notebook, interpreter);
  const open = differences.filter(({ reason }) => reason === undefined);
  unexplained += open.length;
  const explained = differences.length - open.length;
  console.log(
    `${path}: ${notebook.cells.length} cells, ${open.length} unexplained differences, ${explained} explained`,
  );
  if (differences.length > 0) console.log(table(differences));
}
process.exit(unexplained === 0 ? 0 : 1);

function table(differences: readonly Difference[]): string {
  const cell = (text: string) => {
    const line = text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").trim();
    return line.length > 100 ? `${line.slice(0, 99)}…` : line;
  };
  const rows = differences.map(
    ({ cell: number, code, aspect, ours, theirs, reason }) =>
      `| ${number} | ${cell(code)} | ${aspect} | ${cell(ours)} | ${cell(theirs)} | ${reason ?? "unexplained"} |`,
  );
  return ["| cell | code | what | ours | ipykernel | why |", "|---|---|---|---|---|---|", ...rows].join("\n");
}
