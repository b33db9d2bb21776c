// A program that shows one menu and says what was chosen, for the tests to press keys in.
// Arguments: how many choices there are, and `plain` for a terminal that cannot be painted in.

import { choose } from "../../src/terminal/menu.ts";
import { screenFor } from "../../src/terminal/screen.ts";

const [count, plain] = process.argv.slice(2);
const choices = Array.from({ length: Number(count) }, (_, index) => ({
  label: `choice ${index + 1}`,
  note: `the one that is called ${index + 1}, with a note that is longer than a narrow terminal`,
  value: index + 1,
}));
const settings = { maxOutput: 1, maxSteps: 1, ...(plain && { plain: true }) };
process.stdout.write("before\n");
const chosen = await choose({ title: "Which one?", choices, leaving: "leaves" }, screenFor(settings));
process.stdout.write(`${JSON.stringify(chosen)}\n`);
process.exit();
