// What a typed line means: something to say, code to run in a session, or a command.

import { existsSync } from "node:fs";
import { nearest } from "../../settings/index.ts";
import type { Command } from "./command.ts";
import { commandNames, findCommand } from "./table.ts";

export type Typed =
  | { type: "say"; text: string }
  /** `aside`: the model is told nothing of it. */
  | { type: "run"; language: string; code: string; aside?: true }
  /** From now on lines go to this session. */
  | { type: "enter"; language: string }
  | { type: "command"; command: Command; argument: string }
  /** As it was written, and the one that is likely meant. */
  | { type: "unknown"; name: string; near?: string };

/** What installs packages for the Python session; typed in the chat it is run there. */
const installers = new Set(["pip", "uv", "conda", "mamba"]);

/** `current` is the session lines go to, if any; `findLanguage` the language a name means. */
export function readTyped(text: string, findLanguage: (name: string) => string | undefined, current?: string): Typed {
  if (/^(exit|quit)$/i.test(text.trim()) && !current)
    return { type: "command", command: findCommand("quit")!, argument: "" };
  if (text.startsWith("!")) return { type: "run", language: "shell", code: text.slice(1).trim() };
  const otherwise: Typed = current ? { type: "run", language: current, code: text } : { type: "say", text };
  // In a session these are its own: magics of a cell.
  if (text.startsWith("%%") && !current)
    return { type: "run", language: "shell", code: text.slice(2).trim(), aside: true };
  const [, sign, written, rest = ""] = /^([%/])([a-z_-]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  if (written === undefined) return otherwise;
  const name = written.replaceAll("-", "_");
  const command = findCommand(name);
  if (command) return { type: "command", command, argument: rest.trim() };
  const language = findLanguage(written);
  if (language) return rest.trim() ? { type: "run", language, code: rest } : { type: "enter", language };
  const python = sign === "%" && !current && installers.has(written) ? findLanguage("python") : undefined;
  if (python) return { type: "run", language: python, code: text.trim() };
  // A path such as /etc at the start of a sentence is not a command.
  if (current || (sign === "/" && existsSync(`/${written}`))) return otherwise;
  const near = nearest(name, commandNames);
  return { type: "unknown", name: `${sign}${written}`, ...(near && { near: `${sign}${near}` }) };
}
