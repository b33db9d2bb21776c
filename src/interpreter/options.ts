// What an interpreter can be told: the settings, and what only a program can give.

import type { Approve, ApproveEffects, ApproveFirst, Ask } from "../agent/index.ts";
import type { HostFunctions } from "../computer/index.ts";
import type { Conversation } from "../conversations/index.ts";
import type { Language, LendTerminal } from "../languages/index.ts";
import type { Machine } from "../machine/index.ts";
import type { Message } from "../messages/index.ts";
import type { Model } from "../models/index.ts";
import {
  type Choices,
  type CommandOption,
  type CustomLanguage,
  checkValue,
  nearest,
  type Option,
  options,
} from "../settings/index.ts";
import type { AskBudget } from "./accounts.ts";
import type { AskKey } from "./open-model.ts";
import type { AskHost, AskPath } from "./sandboxing.ts";
import type { AskRunAgain } from "./state/index.ts";

export interface InterpreterOptions
  extends Omit<
    Choices,
    | "model"
    | "machine"
    | "profile"
    | "customLanguages"
    | "projectInstructions"
    | "plain"
    | "notify"
    | "images"
    | "theme"
    | "verbose"
    | "wtfModel"
    | CommandOption
  > {
  /** `provider/name`, or a model of your own. */
  model?: string | Model;
  /** Asked before each block, unless `autoRun`. Without it nothing runs unasked: blocks are refused. */
  approve?: Approve;
  /** Looks at each block first, with `autoRun` too. What it decides holds; what it leaves open is as without it. */
  approveFirst?: ApproveFirst;
  /** Asked about what a block did before it is kept, with `approveWhat: "effects"`. Without it that is discarded. */
  approveEffects?: ApproveEffects;
  /** Asked when code wants a line of input. Without it input() fails at once with a clear message. */
  ask?: Ask;
  /** Asked when a budget is used up: the new limit in dollars, or nothing to stop. Without it the turn ends. */
  askBudget?: AskBudget;
  /** Asked for the key of a provider when none is found. Without it that is an error. */
  askKey?: AskKey;
  /** Asked before a conversation goes on, when something in its sessions is gone: whether the blocks that made it run again. */
  askRunAgain?: AskRunAgain;
  /** Asked when code in the sandbox wants to reach a host that no rule speaks of. Without it that is refused. */
  askHost?: AskHost;
  /** Asked when the sandbox has refused a block to read or write something. Without it that is only told. */
  askPath?: AskPath;
  /** Lends the person's terminal to programs that need one (sudo, ssh, editors). Without it they have none. */
  lendTerminal?: LendTerminal;
  /** Tables that are displayed bring their columns and rows along as data, for somebody who draws them. */
  tables?: boolean;
  /** Where code starts; the current folder by default. */
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  messages?: Message[];
  /** Whether the conversation is written to disk; a loaded one is gone on with. Off by default in the library. */
  conversation?: boolean | Conversation;
  languages?: readonly Language[];
  /** Languages beside ours, or in their place where they have the same name. */
  customLanguages?: readonly (CustomLanguage | Language)[];
  /** Functions that code in the sessions can call, as `computer.functions.NAME(…)`. */
  functions?: HostFunctions;
  /** More for the system message, after the custom instructions. */
  instructions?: readonly string[];
  /** Where code runs: the address of a Jupyter server, or a machine of your own; this computer by default. */
  machine?: string | Machine;
}

export interface RunOptions {
  signal?: AbortSignal;
}

const otherOptions = [
  "approve",
  "approveFirst",
  "approveEffects",
  "ask",
  "askBudget",
  "askKey",
  "askRunAgain",
  "askHost",
  "askPath",
  "lendTerminal",
  "tables",
  "cwd",
  "env",
  "messages",
  "conversation",
  "languages",
  "customLanguages",
  "functions",
  "instructions",
  "machine",
];

/** An option that does not exist is a slip worth telling, and so is a template that would lose what it is for. */
export function checkOptions(given: InterpreterOptions): void {
  const known = [...options.map(({ name }) => name as string), ...otherOptions];
  for (const [name, value] of Object.entries(given)) {
    const option = (options as readonly Option[]).find((candidate) => candidate.name === name);
    if (option?.contains && value !== undefined) checkValue(option, value, name);
    if (known.includes(name)) continue;
    const near = nearest(name, known);
    throw new TypeError(`There is no option ${JSON.stringify(name)}.${near ? ` Did you mean ${near}?` : ""}`);
  }
}
