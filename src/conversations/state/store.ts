// What the sessions of a conversation held when they were last saved, in a folder beside its log: for each language one file that
// says what there is, replaced in one moment, and the values that are too long for it.

import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { readSavedState, type SavedState } from "../../languages/index.ts";
import { type HeldFolder, holdFolder } from "../../machine/index.ts";
import { notPrivate } from "./private.ts";
import { isSealed, seal, sealKey } from "./seal.ts";

export interface KeptState {
  language: string;
  /** How many messages the conversation had: what later ones did to the session is not in it. */
  after: number;
  at: string;
  state: SavedState;
}

export interface StateStore {
  /** Where a session writes its values. */
  folderFor(language: string): string;
  /** Puts what was saved in the place of what was there. False when it cannot be kept. */
  write(kept: KeptState): boolean;
  /** All that is there, and one sentence for each that cannot be used. */
  read(): { kept: KeptState[]; problems: string[] };
  forget(language: string): void;
  /** Bytes that the values of all other languages take. */
  besides(language: string): number;
}

export const stateFolder = "state";
const listName = "saved";

/** `conversation` is its folder; `keyFile` is where this machine's key is. */
export function openStates(conversation: string, keyFile: string): StateStore {
  const root = join(conversation, stateFolder);
  const sizes = new Map<string, number>();
  const placeOf = (language: string): string => `${basename(conversation)}/${language}`;
  const folderFor = (language: string): string => join(root, language.replace(/[^\w-]/g, "_"));

  function readOne(name: string): KeptState | string {
    const folder = join(root, name);
    const path = join(folder, listName);
    const open = notPrivate(conversation, "folder") ?? notPrivate(root, "folder") ?? notPrivate(folder, "folder");
    const wrong = open ?? notPrivate(path, "file");
    if (wrong) return `What the ${name} session held was not brought back: ${wrong}.`;
    const key = sealKey(keyFile);
    const [sealed = "", text = ""] = listIn(folder).split("\n");
    const value = parse(text);
    if (!key || !value || !isSealed(key, placeOf(value.language), text, sealed))
      return `What the ${name} session held was not brought back: it is damaged, or was not saved on this machine.`;
    return value;
  }

  return {
    folderFor(language) {
      const folder = folderFor(language);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return folder;
    },
    write(kept) {
      const key = sealKey(keyFile);
      if (!key) return false;
      const text = JSON.stringify(kept);
      // Code writes there, too.
      whileHeld(this.folderFor(kept.language), (held) => {
        held.write(listName, `${seal(key, placeOf(kept.language), text)}\n${text}\n`);
        // Only now is nothing needed any more that it does not name.
        for (const name of held.names()) if (name !== listName && !(name in kept.state.files)) held.delete(name);
      });
      sizes.set(kept.language, kept.state.bytes);
      return true;
    },
    read() {
      const found = namesIn(root).map(readOne);
      const kept = found.filter((each) => typeof each === "object");
      for (const { language, state } of kept) sizes.set(language, state.bytes);
      return { kept, problems: found.filter((each) => typeof each === "string") };
    },
    forget(language) {
      sizes.delete(language);
      const folder = folderFor(language);
      try {
        holdFolder(folder).remove();
      } catch {
        rmSync(folder, { force: true }); // There is none, or something else in its place.
      }
    },
    besides(language) {
      return [...sizes].reduce((sum, [name, size]) => (name === language ? sum : sum + size), 0);
    },
  };
}

function whileHeld<Result>(folder: string, work: (held: HeldFolder) => Result): Result {
  const held = holdFolder(folder);
  try {
    return work(held);
  } finally {
    held.close();
  }
}

/** Empty where it is no file, or was exchanged meanwhile. */
function listIn(folder: string): string {
  try {
    return whileHeld(folder, (held) => held.read(listName).toString("utf8"));
  } catch {
    return "";
  }
}

function parse(text: string): KeptState | undefined {
  try {
    const { language, after, at, state } = JSON.parse(text) as KeptState;
    if (typeof language !== "string" || !Number.isInteger(after)) return undefined;
    return { language, after, at: String(at), state: readSavedState(state) };
  } catch {
    return undefined;
  }
}

/** Folders that something was saved in. */
function namesIn(root: string): string[] {
  try {
    return readdirSync(root).filter((name) => lstatSync(join(root, name, listName), { throwIfNoEntry: false }));
  } catch {
    return [];
  }
}
