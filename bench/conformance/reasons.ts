// The known differences between a session of ours and ipykernel. docs/conformance.md explains each by its name.

import type { Difference } from "./compare.ts";
import type { Outcome } from "./outcome.ts";

interface Rule {
  name: string;
  applies(difference: Difference, ours: Outcome, theirs: Outcome): boolean;
}

const unspaced = (text: string) => text.replaceAll(/\s+/g, "");
/** What IPython's own printer writes differently: addresses, functions with their signature, classes by their name. */
const unadorned = (text: string) =>
  text
    .replaceAll(/object(?=at0x…)|(at)?0x…/g, "")
    .replaceAll(/<function(?:\w+\.)*([\w.<>]+?)\([^()]*\)>/g, "<function$1>")
    .replaceAll(/<class'(?:\w+\.)*(\w+)'>/g, "$1");

const rules: Rule[] = [
  {
    name: "asyncio-run",
    applies: ({ code }, ours, theirs) =>
      /asyncio\.run\(|run_until_complete\(/.test(code) && theirs.error === "RuntimeError" && ours.error === undefined,
  },
  {
    name: "nobody-to-ask",
    applies: ({ aspect }, ours, theirs) =>
      aspect === "error" && ours.error === "EOFError" && theirs.error === "StdinNotImplementedError",
  },
  {
    name: "usage-errors",
    applies: ({ aspect, theirs }, ours) =>
      aspect === "stderr" && ours.error === "UsageError" && theirs.startsWith("UsageError"),
  },
  {
    name: "help-in-a-pager",
    applies: ({ aspect, code, theirs }) =>
      aspect === "stdout" && /(^|\n)\s*(\?|\S+\?\??\s*$)/.test(code) && theirs === "",
  },
  {
    name: "no-terminal",
    applies: ({ aspect, code, ours, theirs }) =>
      aspect === "stdout" && /!|%ls/.test(code) && unspaced(ours) === unspaced(theirs),
  },
  {
    name: "failing-representation",
    applies: ({ aspect }, ours) =>
      (aspect === "error" || aspect === "stderr") && / while a value was shown: /.test(ours.stderr),
  },
  {
    name: "charts-without-network",
    applies: ({ aspect }, ours) =>
      (aspect === "shown" || aspect === "text") &&
      ours.shown.some(({ mimes }) => mimes.some((mime) => /^application\/vnd\.(plotly|vegalite)/.test(mime))),
  },
  {
    name: "one-picture",
    applies: ({ aspect, ours, theirs }) =>
      aspect === "shown" && ours === theirs.replaceAll("image/jpeg image/png", "image/png"),
  },
  {
    name: "python-s-own-repr",
    applies: ({ aspect, ours, theirs }) => aspect === "text" && unadorned(ours) === unadorned(theirs),
  },
  { name: "columns-in-words", applies: ({ aspect, ours }) => aspect === "text" && /dtypes:/.test(ours) },
  { name: "bounded", applies: ({ aspect, ours }) => aspect === "text" && /…[\d,]+more…|leftout…/.test(ours) },
  {
    name: "styled-tables",
    applies: ({ aspect, theirs }) => aspect === "text" && theirs.startsWith("<pandas.io.formats.style.Styler"),
  },
];

export const reasons: readonly string[] = rules.map(({ name }) => name);

export function reasonFor(difference: Difference, ours: Outcome, theirs: Outcome): string | undefined {
  return rules.find((rule) => rule.applies(difference, ours, theirs))?.name;
}
