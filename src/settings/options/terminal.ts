// What the person sees.

import type { Option } from "./option.ts";

export const terminalOptions = [
  {
    name: "deliverables",
    flag: "deliverables",
    kind: "boolean",
    negatable: true,
    help: "List the files that a turn made or changed, at its end; on unless said otherwise.",
  },
  {
    name: "images",
    flag: "images",
    kind: "choice",
    choices: ["auto", "kitty", "iterm", "sixel", "blocks", "none"],
    value: "WAY",
    help: "How pictures are drawn in the terminal: auto, kitty, iterm, sixel, blocks or none.",
  },
  {
    name: "notify",
    flag: "notify",
    kind: "boolean",
    negatable: true,
    help: "Tell the terminal when a turn of more than 20 seconds ends; on unless said otherwise.",
  },
  {
    name: "theme",
    flag: "theme",
    kind: "choice",
    choices: ["auto", "light", "dark", "none"],
    value: "THEME",
    help: "Colours for a light or a dark terminal, or none; auto goes by what the terminal says of itself.",
  },
  { name: "plain", flag: "plain", short: "pl", kind: "boolean", help: "Print without colour or decoration." },
  {
    name: "verbose",
    flag: "verbose",
    short: "v",
    aliases: ["--debug", "-debug", "-d", "--debug_mode"],
    kind: "boolean",
    help: "Tell on standard error what is asked of the model and of the sessions: sizes, times, models. No keys.",
  },
  {
    name: "interactive",
    flag: "interactive",
    kind: "boolean",
    negatable: true,
    help: "Stay in the chat after the words of the command line are done; with --no-, ask nobody anything.",
    once: true,
  },
  {
    name: "save",
    flag: "save",
    kind: "text",
    value: "FILE",
    help: "Write the settings of this command line to a profile and exit: a name, or a path ending in .yaml. No keys.",
    once: true,
  },
  {
    name: "wtfModel",
    flag: "wtf_model",
    kind: "text",
    value: "PROVIDER/NAME",
    help: "Model for `wtf`, when it is to be another one, for example a small and fast one.",
  },
  { name: "version", flag: "version", kind: "boolean", help: "Print the version and exit.", once: true },
  { name: "help", flag: "help", short: "h", kind: "boolean", help: "Print this help and exit.", once: true },
] as const satisfies readonly Option[];
