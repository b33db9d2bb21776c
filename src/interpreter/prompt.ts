// What the model is told before anything is said: the system message of a conversation, and the languages it may write.

import { type LoopMode, systemPrompt } from "../agent/index.ts";
import type { Sessions } from "../languages/index.ts";
import { aboutHidden } from "../privacy/index.ts";
import { aboutMachine } from "./choose-languages.ts";
import type { InterpreterOptions } from "./options.ts";

export interface Prompt {
  system: string;
  languages: string[];
}

const offlineNote = "The person works offline: do not download, install or contact other machines.";

export async function writePrompt(options: InterpreterOptions, sessions: Sessions, cwd: string): Promise<Prompt> {
  const usable = await sessions.usable();
  const { systemMessage, customInstructions, instructions, machine, functions, offline, neverSend } = options;
  const facts = [
    ...aboutMachine(machine),
    ...(offline ? [offlineNote] : []),
    ...(neverSend ? [aboutHidden] : []),
    ...(functions ? (await import("../computer/index.ts")).aboutFunctions(functions) : []),
  ];
  const system = systemPrompt({
    systemMessage,
    customInstructions,
    ...(instructions && { instructions }),
    languages: usable,
    cwd,
    facts,
    loop: loopMode(options),
  });
  return { system, languages: usable.map((language) => language.name) };
}

export function loopMode({ loop, loopMessage, loopBreakers }: InterpreterOptions): LoopMode | undefined {
  return loop ? { message: loopMessage, breakers: loopBreakers } : undefined;
}
