// How blocks run, and where.

import type { Option } from "./option.ts";

export const runningOptions = [
  {
    name: "maxOutput",
    flag: "max_output",
    short: "xo",
    kind: "number",
    value: "CHARACTERS",
    min: 200,
    help: "How much of a block's output the model sees; head and tail are kept, the rest is in a file.",
  },
  {
    name: "maxSteps",
    flag: "max_steps",
    aliases: ["--max_turns"],
    kind: "number",
    value: "COUNT",
    min: 1,
    help: "Most blocks one turn may run before it stops and says so.",
  },
  {
    name: "timeLimit",
    flag: "time_limit",
    kind: "number",
    value: "SECONDS",
    min: 0.1,
    help: "Interrupt a block that runs longer than this.",
  },
  {
    name: "python",
    flag: "python",
    kind: "text",
    value: "PATH",
    help: "Python interpreter or environment to use instead of the one found.",
  },
  {
    name: "kernels",
    flag: "kernels",
    kind: "text",
    value: "NAME,NAME",
    help: "Installed Jupyter kernels the model may use as languages, for example ir,julia-1.10.",
  },
  {
    name: "machine",
    flag: "machine",
    kind: "text",
    value: "URL",
    help: "Jupyter Server or gateway where code runs instead of here: https://host/?token=….",
  },
] as const satisfies readonly Option[];
