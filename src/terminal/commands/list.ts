// The commands of the chat as pairs of words, for whoever makes a page of them.

import { beginnings, commands, signature } from "./table.ts";

export const chatCommands = (): (readonly [string, string])[] => [
  ...beginnings,
  ...commands.map((command) => [`/${signature(command)}`, command.help] as const),
];
