// What Tab offers: names of the live session when lines go to one, commands otherwise.

import type { Sessions } from "../languages/index.ts";
import { commandHelp } from "./commands.ts";

export interface Offer {
  matches: string[];
  /** The part of the line that a match replaces. */
  replaced: string;
}

const commands = [...commandHelp.matchAll(/^ {2}(%\w+)/gm)].map((match) => match[1]!);

export async function offerFor(line: string, sessions: Sessions, language: string | undefined): Promise<Offer> {
  const written = /^%(\w+)\s+([\s\S]*)$/.exec(line);
  const name = written ? sessions.find(written[1]!)?.name : line.startsWith("%") ? undefined : language;
  const code = written && name ? written[2]! : line;
  if (name) {
    const session = (await sessions.live()).find((live) => live.language === name);
    const found = await session?.complete?.(code, code.length).catch(() => undefined);
    return { matches: found?.matches ?? [], replaced: code.slice(found?.start ?? code.length) };
  }
  return { matches: commands.filter((command) => command.startsWith(line) && line !== ""), replaced: line };
}
