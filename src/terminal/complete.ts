// What Tab offers: commands, names of the live session, files by their path, and files to mention with @.

import type { Sessions } from "../languages/index.ts";
import { commands, findCommand } from "./commands/table.ts";
import type { Complete, Match, Offer } from "./editor/completion.ts";

export interface CompletionSources {
  sessions: Sessions;
  cwd: string;
  /** The session typed lines go to, if any. */
  language: () => string | undefined;
}

const nothing: Offer = { matches: [], replaced: "" };

export function createCompletion({ sessions, cwd, language }: CompletionSources): Complete {
  let mentions: ((query: string) => Promise<Match[]>) | undefined;

  async function mentioned(before: string): Promise<Offer | undefined> {
    const [, typed, query] = /(?:^|\s)(@"?([^\s"]*))$/.exec(before) ?? [];
    if (typed === undefined) return undefined;
    mentions ??= (await import("./editor/mentions.ts")).createMentions(cwd);
    return { matches: await mentions(query!), replaced: typed };
  }

  async function named(before: string): Promise<Offer | undefined> {
    const written = /^%(\w+)\s+([\s\S]*)$/.exec(before);
    const name = written ? sessions.find(written[1]!)?.name : before.startsWith("%") ? undefined : language();
    if (!name) return undefined;
    const code = written ? written[2]! : before;
    const session = (await sessions.live()).find((live) => live.language === name);
    const found = await session?.complete?.(code, code.length).catch(() => undefined);
    if (!found || found.matches.length === 0) return undefined;
    return { matches: found.matches.map((text) => ({ text })), replaced: code.slice(found.start) };
  }

  async function path(before: string): Promise<Offer | undefined> {
    const { lastWord, looksLikePath, offerPaths } = await import("./editor/paths.ts");
    // The command for the shell begins with a mark that is no part of a path.
    const word = lastWord(before.replace(/^!/, " "));
    const anyFile = /^!|^[%/](image|open|shell)\s/.test(before) && word.typed !== "";
    return anyFile || looksLikePath(word) ? offerPaths(word, cwd) : undefined;
  }

  return async (before) =>
    commandsFor(before) ?? (await mentioned(before)) ?? (await named(before)) ?? (await path(before)) ?? nothing;
}

/** A slash may also begin a path: it is a command as long as one begins like that. */
function commandsFor(before: string): Offer | undefined {
  const [, name, given] = /^[%/]([a-z_]+)\s+(\S*)$/.exec(before) ?? [];
  const words = name === undefined ? undefined : findCommand(name)?.words;
  if (words) {
    const matches = words.filter((word) => word.startsWith(given!)).map((text) => ({ text }));
    return matches.length > 0 ? { matches, replaced: given! } : undefined;
  }
  const [, sign, begun] = /^([%/])(\w*)$/.exec(before) ?? [];
  if (sign === undefined) return undefined;
  const matches = commands
    .filter((command) => command.name.startsWith(begun!))
    .map((command) => ({ text: sign + command.name, note: command.help }));
  return matches.length > 0 || sign === "%" ? { matches, replaced: before } : undefined;
}
