// A conversation reduced to what its results need: failed and superseded blocks dropped, imports gathered, versions pinned.

import type { Message } from "../../messages/index.ts";
import { partsOf } from "../export/parts.ts";
import { arrange, type CleanBlock } from "./arrange.ts";
import { isOutside } from "./places.ts";
import { type PythonPlace, type Versions, versionsOf } from "./python.ts";
import displayHelper from "./script-display.py";
import pictureHelpers from "./script-pictures.py";
import showHelper from "./script-show.py";
import { select } from "./select.ts";
import { stepsOf } from "./steps.ts";

export type { CleanBlock } from "./arrange.ts";
export type { PythonPlace } from "./python.ts";

export interface Clean {
  messages: Message[];
  blocks: CleanBlock[];
  /** How many of the blocks that ran are left, and how many there were. */
  kept: number;
  of: number;
  /** Files that the results are in, and files that have to be there first; by their place in the folder. */
  files: string[];
  inputs: string[];
  /** Modules of the person's own that are imported. */
  modules: string[];
  /** Files outside of the folder that are written. */
  outside: string[];
  /** The text of a requirements file; empty when nothing has to be installed. */
  requirements: string;
  /** What of ours a script of it uses. */
  helpers: string;
  /** What the person should know about it, a sentence each. */
  remarks: string[];
}

/** `since` is when the conversation began. */
export async function cleanConversation(messages: readonly Message[], place: PythonPlace, since: Date): Promise<Clean> {
  const parts = partsOf(messages);
  const steps = await stepsOf(parts, place);
  const selection = select(steps, place.folder, since);
  const { blocks, messages: cleaned } = arrange(parts, selection);
  const imported = selection.imports.flatMap(({ statement }) => statement.modules);
  const modules = [...new Set([...imported, ...selection.kept.flatMap((step) => step.modules)])];
  const none: Versions = { requirements: [], missing: [], local: [], python: "" };
  const codes = blocks.map(({ code }) => code.content);
  const versions = modules.length > 0 ? await versionsOf(place, modules, codes) : none;
  const made = new Set(selection.kept.flatMap(({ facts }) => facts.filesMade));
  const overwritten = selection.inputs.filter((input) => selection.files.includes(input));
  const unknown = selection.unknown.filter((name) => !/^_/.test(name));
  return {
    messages: cleaned,
    blocks,
    kept: selection.kept.length,
    of: steps.length,
    files: selection.files,
    inputs: selection.inputs,
    modules: versions.local.filter((name) => !made.has(`${name}.py`)),
    outside: [...new Set(selection.kept.flatMap(({ facts }) => facts.filesMade.filter(isOutside)))],
    requirements:
      versions.requirements.length > 0
        ? `# What was installed when this was exported, with Python ${versions.python}.\n${versions.requirements.join("\n")}\n`
        : "",
    helpers: helpersFor(blocks),
    remarks: [
      ...overwritten.map((path) => `${path} was changed by the conversation itself: it is no longer as it was before.`),
      ...versions.missing.map((name) => `${name} is imported, but not installed here: its version is not pinned.`),
      ...unknown.map((name) => `${name} is used, and no block that went well has made it.`),
      ...(selection.kept.some(({ facts }) => facts.network) ? ["It uses the network."] : []),
    ],
  };
}

/** What blocks call in a script that a session has of its own. */
function helpersFor(blocks: readonly CleanBlock[]): string {
  const uses = (name: string): boolean => blocks.some(({ script }) => script.includes(`${name}(`));
  const pictures = uses("show_figures") || blocks.some(({ results }) => results.some(({ type }) => type === "image"));
  if (!pictures && !uses("show_value") && !uses("display")) return "";
  const parts = [pictures ? pictureHelpers : showHelper, ...(uses("display") ? [displayHelper] : [])];
  return parts.map((part) => part.trimEnd()).join("\n\n\n");
}
