// The one table of everything a person can choose. Flags, environment, settings files, help and docs are made from it.

import type { CustomLanguage } from "./custom-languages.ts";
import { legacyOptions } from "./legacy-options.ts";

export interface Option {
  /** As the library and settings files write it, in camel case. */
  name: string;
  /** Long flag without dashes; underscores and hyphens are the same. */
  flag: string;
  short?: string;
  /** Other spellings of the flag, with their dashes. */
  aliases?: readonly string[];
  /**
   * A list is written as YAML's, as a flag given several times, or one to a line in the environment. A size is a number of bytes,
   * or one with its unit: 5GB.
   */
  kind: "boolean" | "text" | "number" | "choice" | "list" | "size";
  choices?: readonly string[];
  /** A boolean that also has a `--no-` form, because "not said" differs from "no". */
  negatable?: boolean;
  /** What a value looks like in the help. */
  value?: string;
  min?: number;
  /** The text is an address on the network. */
  address?: boolean;
  /** What the text must have in it to make sense. */
  contains?: string;
  /** Says something even when it is empty. */
  mayBeEmpty?: boolean;
  help: string;
  /** Says something about this one start only; not for settings files or the environment. */
  once?: boolean;
  /** Nothing of it is ever shown or written. */
  secret?: true;
  /** Known from the original: listed apart, so that the help stays readable. */
  legacy?: true;
  /** What holds instead, said when it is given; not for the value `silentFor`. */
  notice?: string;
  silentFor?: string;
  /** What is meant when the value is left out. */
  without?: string;
  /** A flag that stands for other choices; what is said besides wins over them. */
  means?: Readonly<Record<string, string | boolean>>;
}

export const options = [
  {
    name: "model",
    flag: "model",
    short: "m",
    kind: "text",
    value: "PROVIDER/NAME",
    help: "Model to use, for example anthropic/claude-sonnet-4-5 or ollama/llama3.1.",
  },
  {
    name: "apiBase",
    flag: "api_base",
    short: "ab",
    kind: "text",
    address: true,
    value: "URL",
    help: "Endpoint to use instead of the provider's own; any OpenAI-compatible server.",
  },
  {
    name: "apiKey",
    flag: "api_key",
    short: "ak",
    aliases: ["-k"],
    kind: "text",
    value: "KEY",
    secret: true,
    help: "API key for this model; better kept with `interpreter keys set PROVIDER` or in the provider's variable.",
  },
  {
    name: "apiVersion",
    flag: "api_version",
    short: "av",
    kind: "text",
    value: "VERSION",
    help: "API version, for providers that want one.",
  },
  {
    name: "temperature",
    flag: "temperature",
    short: "t",
    kind: "number",
    value: "NUMBER",
    min: 0,
    help: "Sampling temperature; the provider's own default when not given.",
  },
  {
    name: "maxTokens",
    flag: "max_tokens",
    short: "x",
    kind: "number",
    value: "COUNT",
    min: 1,
    help: "Longest reply, in tokens.",
  },
  {
    name: "contextWindow",
    flag: "context_window",
    short: "cw",
    kind: "number",
    value: "COUNT",
    min: 500,
    help: "How many tokens the model can read; known for most models, and 32000 is assumed for the others.",
  },
  {
    name: "reasoningEffort",
    flag: "reasoning_effort",
    kind: "choice",
    choices: ["none", "minimal", "low", "medium", "high", "xhigh"],
    value: "EFFORT",
    help: "How much a reasoning model thinks before it answers: none, minimal, low, medium, high or xhigh.",
  },
  {
    name: "maxBudget",
    flag: "max_budget",
    short: "b",
    kind: "number",
    value: "DOLLARS",
    min: 0.000001,
    help: "Most a conversation may cost; it pauses and asks there, and without a person it stops with exit code 5.",
  },
  {
    name: "monthlyBudget",
    flag: "monthly_budget",
    kind: "number",
    value: "DOLLARS",
    min: 0.000001,
    help: "Most that all conversations of a calendar month may cost together.",
  },
  {
    name: "offline",
    flag: "offline",
    short: "o",
    kind: "boolean",
    help: "Use only models on this machine; nothing that Open Interpreter does itself leaves it. Code that you let run still can.",
  },
  {
    name: "maskSecrets",
    flag: "mask_secrets",
    kind: "boolean",
    negatable: true,
    help: "Whether keys, tokens and passwords are masked in what is sent to the model and kept; on unless said otherwise.",
  },
  {
    name: "neverSend",
    flag: "never_send",
    kind: "list",
    value: "PATTERN",
    help: "A file (clients.csv, data/*) or column (column:email, clients.csv:ssn) whose values the model never reads; may be given several times.",
  },
  {
    name: "local",
    flag: "local",
    short: "l",
    kind: "boolean",
    help: "Choose a model that runs on this machine, from a menu; with the profile local.",
    once: true,
  },
  {
    name: "fast",
    flag: "fast",
    short: "f",
    kind: "boolean",
    help: "The profile fast: a quick and cheap model, and few words.",
    once: true,
  },
  {
    name: "vision",
    flag: "vision",
    short: "vi",
    kind: "boolean",
    help: "The profile vision: the model is shown pictures, and looks at what it makes.",
    once: true,
  },
  {
    name: "os",
    flag: "os",
    short: "os",
    kind: "boolean",
    help: "The profile os: the model works the system and its programs; it does not see the screen yet.",
    once: true,
  },
  {
    name: "llmSupportsFunctions",
    flag: "llm_supports_functions",
    short: "lsf",
    aliases: ["--tool_calling"],
    kind: "boolean",
    negatable: true,
    help: "Force tool calls (or, with --no-, fenced markdown) as the way the model asks to run code.",
  },
  {
    name: "llmSupportsVision",
    flag: "llm_supports_vision",
    short: "lsv",
    kind: "boolean",
    negatable: true,
    help: "Say whether the model can see images.",
  },
  {
    name: "autoRun",
    flag: "auto_run",
    short: "y",
    kind: "boolean",
    help: "Run code without asking first; the same as --approve never.",
  },
  {
    name: "approveWhat",
    flag: "approve",
    kind: "choice",
    choices: ["code", "effects", "never"],
    value: "WHAT",
    help: "What you are asked about: code before it runs (unless said otherwise), effects before they are kept, or never.",
  },
  {
    name: "plan",
    flag: "plan",
    kind: "boolean",
    help: "Read-only: code may read and compute, and nothing that it writes is kept.",
  },
  {
    name: "workspace",
    flag: "workspace",
    kind: "list",
    value: "DIR",
    help: "A further folder whose changes are shown and can be undone, besides the one you are in; may be given several times.",
  },
  {
    name: "undoSpace",
    flag: "undo_space",
    kind: "size",
    value: "SIZE",
    min: 0,
    help: "Disk space that undo may take for each folder you work in, such as 5GB; what was done longest ago is given up first.",
  },
  {
    name: "layer",
    flag: "layer",
    kind: "choice",
    choices: ["auto", "checkpoint", "off"],
    value: "HOW",
    help: "What makes undo possible: auto (a write layer where there can be one, or else checkpoints), checkpoint, or off.",
  },
  {
    name: "sandbox",
    flag: "sandbox",
    kind: "choice",
    choices: ["workspace", "strict", "off"],
    value: "LEVEL",
    help: "What code can touch: workspace (writes here, asks for hosts), strict (no network, sees little else), or off.",
  },
  {
    name: "maxMemory",
    flag: "max_memory",
    kind: "size",
    value: "SIZE",
    min: 1_000_000,
    help: "Memory that code in one session may have, with all that it started, such as 4GB; then it is ended.",
  },
  {
    name: "maxCpu",
    flag: "max_cpu",
    kind: "number",
    value: "SECONDS",
    min: 1,
    help: "Processor time that a block may take, with all that it started; then it is ended.",
  },
  {
    name: "maxDisk",
    flag: "max_disk",
    kind: "size",
    value: "SIZE",
    min: 1_000_000,
    help: "By how much a block may fill the disk, such as 10GB; then it is ended.",
  },
  {
    name: "safeMode",
    flag: "safe_mode",
    short: "safe",
    kind: "choice",
    choices: ["off", "ask", "auto"],
    value: "WHEN",
    help: "Look at code before it runs: off, ask (when it waits for your yes), or auto (always; danger waits for your yes).",
  },
  {
    name: "allowHost",
    flag: "allow_host",
    kind: "list",
    value: "HOST",
    help: "A host that code may reach during this run, such as *.example.org or localhost:8000; may be given several times.",
    once: true,
  },
  {
    name: "allowWrite",
    flag: "allow_write",
    kind: "list",
    value: "PATH",
    help: "A folder or file outside of the workspace that code may write during this run; may be given several times.",
    once: true,
  },
  {
    name: "allowRead",
    flag: "allow_read",
    kind: "list",
    value: "PATH",
    help: "A folder or file that code may read during this run although it is kept from it; may be given several times.",
    once: true,
  },
  {
    name: "customInstructions",
    flag: "custom_instructions",
    short: "ci",
    aliases: ["--instructions"],
    kind: "text",
    mayBeEmpty: true,
    value: "TEXT",
    help: "Added to the system message.",
  },
  {
    name: "projectInstructions",
    flag: "project_instructions",
    kind: "boolean",
    negatable: true,
    help: "Whether AGENTS.md of the working folder is added to the system message.",
  },
  {
    name: "systemMessage",
    flag: "system_message",
    short: "sm",
    kind: "text",
    value: "TEXT",
    help: "Replaces the system message.",
  },
  {
    name: "userMessageTemplate",
    flag: "user_message_template",
    kind: "text",
    contains: "{content}",
    value: "TEXT",
    help: "What the model reads in place of your last message; {content} is the message.",
  },
  {
    name: "alwaysApplyUserMessageTemplate",
    flag: "always_apply_user_message_template",
    kind: "boolean",
    help: "Apply --user_message_template to every message of yours, not only to the last.",
  },
  {
    name: "codeOutputTemplate",
    flag: "code_output_template",
    kind: "text",
    contains: "{content}",
    value: "TEXT",
    help: "How output is told to models without tool calls; {content} is the output.",
  },
  {
    name: "emptyCodeOutputTemplate",
    flag: "empty_code_output_template",
    kind: "text",
    value: "TEXT",
    help: "What models without tool calls are told when a block printed nothing.",
  },
  {
    name: "codeOutputSender",
    flag: "code_output_sender",
    kind: "choice",
    choices: ["user", "assistant"],
    value: "WHO",
    help: "Whose message output is in for models without tool calls: user or assistant.",
  },
  {
    name: "executionInstructions",
    flag: "execution_instructions",
    kind: "text",
    mayBeEmpty: true,
    value: "TEXT",
    help: "What models without tool calls are told about running code, instead of our own words; none: nothing.",
  },
  {
    name: "loop",
    flag: "loop",
    kind: "boolean",
    help: "Go on by itself until the model says that the task is done, impossible or needs you.",
  },
  {
    name: "loopMessage",
    flag: "loop_message",
    kind: "text",
    value: "TEXT",
    help: "What the model is told with --loop when it stopped without saying so.",
  },
  {
    name: "loopBreakers",
    flag: "loop_breakers",
    kind: "list",
    value: "TEXT",
    help: "What the model says with --loop to stop, instead of our own phrases; may be given several times.",
  },
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
  {
    name: "profile",
    flag: "profile",
    short: "p",
    kind: "text",
    value: "NAME",
    help: "Settings to load on top of your own: default, fast, local, vision, os, data, one of your own, or a file.",
  },
  {
    name: "continue",
    flag: "continue",
    short: "c",
    kind: "boolean",
    help: "Go on with the last conversation held in this folder.",
    once: true,
  },
  {
    name: "resume",
    flag: "resume",
    kind: "text",
    value: "ID",
    without: "choose",
    help: "Go on with this conversation, in its folder; without one, choose from a list. `interpreter conversations` has them.",
    once: true,
  },
  {
    name: "saveState",
    flag: "save_state",
    kind: "boolean",
    negatable: true,
    help: "Keep what is in the sessions beside the conversation, to go on with later; on unless said otherwise.",
  },
  {
    name: "outputSchema",
    flag: "output_schema",
    kind: "text",
    value: "FILE",
    help: "JSON Schema the answer must follow: prints that JSON and nothing else, or fails with exit code 6.",
    once: true,
  },
  {
    name: "json",
    flag: "json",
    kind: "boolean",
    help: "Print the stream of chunks, one JSON object a line, and nothing else.",
    once: true,
  },
  {
    name: "refresh",
    flag: "refresh",
    kind: "boolean",
    help: "With `interpreter models`: fetch a newer list of models from models.dev first.",
    once: true,
  },
  {
    name: "remove",
    flag: "remove",
    kind: "boolean",
    help: "With `interpreter trust`: trust this folder no more.",
    once: true,
  },
  {
    name: "format",
    flag: "format",
    kind: "choice",
    choices: ["md", "html", "ipynb", "script"],
    value: "KIND",
    help: "With `interpreter export`: markdown, a page, a Jupyter notebook, or a program; by default what the file's name says.",
    once: true,
  },
  {
    name: "clean",
    flag: "clean",
    kind: "boolean",
    help: "With `interpreter export`: only what the results need, with versions pinned; run again elsewhere and compared.",
    once: true,
  },
  {
    name: "output",
    flag: "output",
    kind: "text",
    value: "FILE",
    help: "With `interpreter export`: the file to write.",
    once: true,
  },
  {
    name: "freshEnv",
    flag: "fresh_env",
    kind: "boolean",
    help: "With `interpreter export --clean`: run it in a new environment that has nothing but its requirements.",
    once: true,
  },
  {
    name: "list",
    flag: "list",
    kind: "boolean",
    help: "With `interpreter undo`: what can be taken back in this folder, and what can be put back.",
    once: true,
  },
  {
    name: "redo",
    flag: "redo",
    kind: "boolean",
    help: "With `interpreter undo`: put back what was taken back; the same as `interpreter redo`.",
    once: true,
  },
  {
    name: "leaveChanged",
    flag: "leave_changed",
    kind: "boolean",
    help: "With `interpreter undo`: files that were changed since stay as they are, and all others are taken back.",
    once: true,
  },
  {
    name: "overwriteChanged",
    flag: "overwrite_changed",
    kind: "boolean",
    help: "With `interpreter undo`: files that were changed since are taken back, too; those changes are lost.",
    once: true,
  },
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
  ...legacyOptions,
] as const satisfies readonly Option[];

type Entry = (typeof options)[number];
type ValueOf<E extends Entry> = E["kind"] extends "boolean"
  ? boolean
  : E["kind"] extends "number" | "size"
    ? number
    : E["kind"] extends "list"
      ? readonly string[]
      : E extends { choices: readonly (infer C)[] }
        ? C
        : string;

/** Options that only the command understands; a program that uses the library has no use for them. */
export type CommandOption = Exclude<
  Extract<Entry, { once: true } | { legacy: true }>["name"],
  "allowHost" | "allowWrite" | "allowRead"
>;

/** What was chosen, by option name; absent means not chosen. */
export type Choices = { -readonly [E in Entry as E["name"]]?: ValueOf<E> } & {
  /** Languages of the person's own; only files have them, under `languages`. */
  customLanguages?: readonly CustomLanguage[];
};

/** What holds when nothing was chosen. */
export const defaults = {
  maxOutput: 5_000,
  maxSteps: 100,
  undoSpace: 5_000_000_000,
  projectInstructions: true as boolean,
} satisfies Choices;

export type Settings = Choices & typeof defaults;
