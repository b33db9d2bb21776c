// Asks for the key of a provider, unseen, and where to keep it.

import type { AskKey } from "../interpreter/index.ts";
import { type KeyOwner, type KeyPlace, openKeys } from "../settings/index.ts";
import type { LineReader } from "./line-reader.ts";

/** Each key is asked for once: one that is not kept is remembered until the program ends. */
export function keyAsker(lines: LineReader, settle: () => void): AskKey {
  const given = new Map<string, string>();
  return async (owner) => {
    const known = given.get(owner.name);
    if (known) return known;
    settle();
    const stop = new AbortController();
    const { onInterrupt } = lines;
    lines.onInterrupt = () => stop.abort();
    try {
      const key = await typedKey(owner, lines, stop.signal);
      if (!key) return undefined;
      given.set(owner.name, key);
      await offerToKeep(owner, key, lines, stop.signal);
      return key;
    } finally {
      lines.onInterrupt = onInterrupt;
    }
  };
}

/** Undefined when the person gives none. */
export async function typedKey(owner: KeyOwner, lines: LineReader, signal: AbortSignal): Promise<string | undefined> {
  const { readKey } = await openKeys();
  const question = `${owner.label} needs an API key. Paste it here; it is not shown: `;
  for (let prompt = question; ; ) {
    const typed = await lines.line(prompt, { hidden: true, signal });
    if (!typed?.trim()) return undefined;
    const key = readKey(typed);
    if (key) return key;
    prompt = "A key is one word of plain letters, digits and signs. Paste it again, or press Enter to leave it: ";
  }
}

async function offerToKeep(owner: KeyOwner, key: string, lines: LineReader, signal: AbortSignal): Promise<void> {
  const { hasKeyring, keepKey } = await openKeys();
  let keyring = hasKeyring();
  for (;;) {
    const place = await askPlace(keyring, ", n = only now", lines, signal);
    if (!place) return;
    try {
      await keepKey(owner, key, place);
      lines.say(`${whereKept(place)}. \`interpreter keys remove ${owner.name}\` forgets it.\n`);
      return;
    } catch (error) {
      const { message, hint } = error as { message: string; hint?: string };
      if (hint === undefined) throw error;
      lines.say(`${message}\n`);
      if (place === "file") return;
      keyring = false;
    }
  }
}

/** Where to keep a key; undefined for nowhere. */
export async function askPlace(
  keyring: boolean,
  otherwise: string,
  lines: LineReader,
  signal: AbortSignal,
): Promise<KeyPlace | undefined> {
  const question = `Keep it? ${keyring ? "k = system keyring, " : ""}f = file (private)${otherwise}: `;
  for (;;) {
    const answer = (await lines.line(question, { signal }))?.trim().toLowerCase() ?? "n";
    if (/^(n|no|)$/.test(answer)) return undefined;
    if (/^(f|file)$/.test(answer)) return "file";
    if (keyring && /^(k|keyring)$/.test(answer)) return "keyring";
  }
}

export const whereKept = (place: KeyPlace): string =>
  place === "keyring" ? "Kept in the system keyring" : "Kept in a file that only you can read";
