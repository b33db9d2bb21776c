// The one table of everything a person can choose. Flags, environment, settings files, help and docs are made from it.

import type { CustomLanguage } from "../custom-languages.ts";
import { conversationOptions } from "./conversation.ts";
import { instructionOptions } from "./instructions.ts";
import { legacyOptions } from "./legacy.ts";
import { modelOptions } from "./model.ts";
import type { Option } from "./option.ts";
import { runningOptions } from "./running.ts";
import { safetyOptions } from "./safety.ts";
import { terminalOptions } from "./terminal.ts";

export type { Option };

export const options = [
  ...modelOptions,
  ...safetyOptions,
  ...instructionOptions,
  ...runningOptions,
  ...conversationOptions,
  ...terminalOptions,
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
