// What somebody without special rights finds in a folder with things that are closed to them, or not theirs. A program: it is run
// as such a user, in a folder made for it, and prints what it saw.

import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { linesOf, openWorkspace } from "./workspace.ts";

export interface Seen {
  closed: { effects: string[]; uncovered: readonly string[]; problems: readonly string[]; left: string[] };
  shut: { effects: string[]; uncovered: readonly string[]; back: boolean };
  foreign?: { effects: string[]; warning: string | undefined; content: string };
}

/** `foreign`: puts a file of another user there. */
export async function look(folder: string, foreign?: string): Promise<Seen> {
  const work = openWorkspace(folder);
  const at = (name: string): string => join(work.root, name);
  writeFileSync(at("secret"), "closed", { mode: 0o000 });
  mkdirSync(at("locked"));
  writeFileSync(at("locked/a"), "a");
  mkdirSync(at("open"));
  writeFileSync(at("open/a"), "a");
  chmodSync(at("locked"), 0o000);
  const protection = work.open();

  const first = await work.block(protection, () => {
    rmSync(at("secret"));
    chmodSync(at("locked"), 0o700);
    rmSync(at("locked"), { recursive: true });
  });
  const { problems } = await first.discard();
  const left = readdirSync(work.root).sort();
  const closed = { effects: linesOf(first), uncovered: first.effects.uncovered, problems, left };

  const second = await work.block(protection, () => chmodSync(at("open"), 0o000));
  await second.discard();
  const back = (lstatSync(at("open")).mode & 0o777) === 0o755 && existsSync(at("open/a"));
  const shut = { effects: linesOf(second), uncovered: second.effects.uncovered, back };

  const seen: Seen = { closed, shut };
  if (foreign !== undefined) {
    // Its owner is another one; the folder is ours, so that we may delete it.
    const third = await work.block(protection, () => rmSync(at(foreign)));
    const warning = third.effects.files[0]?.warning;
    await third.discard();
    seen.foreign = { effects: linesOf(third), warning, content: readFileSync(at(foreign), "utf8") };
  }
  await protection.close();
  return seen;
}

if (import.meta.filename === process.argv[1])
  console.log(JSON.stringify(await look(process.argv[2]!, process.argv[3])));
