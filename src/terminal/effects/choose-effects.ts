// Which effects a person means by numbers and names: 1 3-5, *.csv, data/.

import { loadGlob } from "../../computer/index.ts";
import { type Effect, loadDescribing } from "../../machine/index.ts";

/** The effects, in their order; or a sentence about what is none. */
export async function chooseEffects(written: string, files: readonly Effect[]): Promise<readonly Effect[] | string> {
  if (files.length === 0) return "No file was changed.";
  const text = written.trim();
  const whole = files.filter(({ name }) => isNamed(name, text));
  if (whole.length > 0 && !/^\d+$/.test(text)) return whole;
  const chosen = new Set<Effect>();
  for (const [, quoted, bare] of text.matchAll(/"([^"]+)"|([^\s,]+)/g)) {
    const found = quoted === undefined ? await find(bare!, files) : files.filter(({ name }) => isNamed(name, quoted));
    if (found.length === 0) {
      const what = quoted ?? bare!;
      const highest = files.length === 1 ? "There is only number 1" : `The numbers go from 1 to ${files.length}`;
      if (/^\d+(-\d+)?$/.test(what)) return `${highest}.`;
      return (await withinFolder(what, files)) ?? `Nothing here is called ${what}.`;
    }
    for (const effect of found) chosen.add(effect);
  }
  return files.filter((effect) => chosen.has(effect));
}

async function find(word: string, files: readonly Effect[]): Promise<readonly Effect[]> {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(word) ?? [];
  if (first !== undefined) {
    const inside = Number(first) >= 1 && Number(last) <= files.length;
    return inside ? files.slice(Number(first) - 1, Number(last)) : [];
  }
  const matches = (await loadGlob()).glob(word.replace(/\/$/, ""));
  return files.filter(({ name }) => isNamed(name, word) || matches(name.replace(/\/$/, "")));
}

/** A folder that came or went is one thing: what is in it cannot be had alone, and it is said where it is. */
async function withinFolder(word: string, files: readonly Effect[]): Promise<string | undefined> {
  const { filesInside } = await loadDescribing();
  const matches = (await loadGlob()).glob(word);
  for (const [index, effect] of files.entries()) {
    const folder = effect.name.replace(/\/$/, "");
    for (const inner of filesInside(effect))
      if (matches(inner) || matches(`${folder}/${inner}`))
        return `${word} is in ${folder}/, which is kept or discarded as a whole: that is number ${index + 1}.`;
  }
  return undefined;
}

/** Itself, or something in the folder of that name. */
function isNamed(name: string, written: string): boolean {
  const folder = written.replace(/^\.\//, "").replace(/\/$/, "");
  return folder !== "" && (name.replace(/\/$/, "") === folder || name.startsWith(`${folder}/`));
}
