// Folders that programs keep for themselves (environments, caches, .git): nobody looks for results in them, so that each is told as
// one thing, with how many files in it came, changed or went.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { addUp, asideFolder, type Count, type Effect, totalOf } from "../../machine/index.ts";

export type Change = "new" | "changed" | "deleted" | "moved";

/** What effects call it. */
export const effectWords = { new: "created", changed: "changed", deleted: "deleted", moved: "renamed" } as const;

export interface OwnFolder<Step> {
  /** What became of the folder itself. */
  change: Change;
  files: number;
  /** There are even more. */
  moreFiles: boolean;
  step: Step;
}

/** Whether a folder that came or went, by its name as a person calls it, is one of them. */
export const isOwnFolder = ({ kind, name, path, change }: Pick<Effect, "kind" | "name" | "path" | "change">): boolean =>
  kind === "folder" &&
  (asideFolder(`${name.replace(/\/$/, "")}/.`) !== undefined ||
    (change === "created" && existsSync(join(path, "pyvenv.cfg"))));

export class OwnFolders<Step> {
  readonly #folders = new Map<string, { counts: Count[]; whole?: "new" | "deleted"; step: Step }>();

  /** `whole`: the folder itself came or went. */
  add(path: string, count: Count, step: Step, whole = false): void {
    const known = this.#folders.get(path);
    const counts = addUp([...(known?.counts ?? []), count]);
    const change = count.change === "created" ? "new" : count.change === "deleted" ? "deleted" : undefined;
    const came = known?.whole ?? (whole ? change : undefined);
    if (whole && change === "deleted" && known?.whole === "new") this.#folders.delete(path);
    else this.#folders.set(path, { counts, step, ...(came && { whole: came }) });
  }

  get counts(): Count[] {
    return addUp([...this.#folders.values()].flatMap(({ counts }) => counts));
  }

  *all(): Generator<[path: string, folder: OwnFolder<Step>]> {
    for (const [path, { counts, whole, step }] of this.#folders) {
      const moreFiles = counts.some(({ more }) => more);
      yield [path, { change: whole ?? "changed", files: totalOf(counts), moreFiles, step }];
    }
  }
}
