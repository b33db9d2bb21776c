// Carries one step from one state to the next. Its folder says at every moment what is going on, so that whoever finds it after a
// kill can go on from there:
//   step.json with a motion   going on: it is carried out from the beginning, which does again only what was not done
//   taken-back.json           given up, and all moves are taken back: copies are still to be deleted
//   settled.json              what step.json was before: it comes back when the motion is given up
//   done.json                 nothing is left to do but to delete the folder

import { linkSync, renameSync, unlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { newId } from "../../messages/index.ts";
import { openPace } from "../checkpoint/pace.ts";
import { openCopier } from "./copy-tree.ts";
import { factsOf } from "./facts.ts";
import { type OnOperation, openHands } from "./hands.ts";
import { carryOut, removeAll, takeBack } from "./motion.ts";
import type { Mover } from "./move.ts";
import { visibleNamesIn } from "./names.ts";
import { whyOf } from "./plain-error.ts";
import { readJson, type State, type StepRecord, writeJson } from "./record.ts";
import { removeTree } from "./remove-tree.ts";
import { settle } from "./settle.ts";

export interface Journal {
  readonly folder: string;
  readonly mover: Mover;
  /** Where the record becomes what it says it will be, or is as it was when this throws. */
  run(record: StepRecord): Promise<void>;
  /** After a kill: what was to become of the record. */
  goOn(state: State): Promise<Outcome>;
}

/** What became of something that had been cut short. `nothing`: it had not begun. */
export interface Outcome {
  ended: "finished" | "taken back" | "nothing";
  record?: StepRecord;
  /** Why it was not finished. */
  why?: string;
}

/** It is neither done nor taken back: what was kept of it is still there, for the next attempt. */
export class Stuck extends Error {}

/** `gone`: where folders are put to be deleted. */
export function openJournal(folder: string, gone: string, problems: string[], on?: OnOperation): Journal {
  const pace = openPace();
  const hands = openHands(join(folder, "opened"), on);
  const mover: Mover = { hands, pace, copier: openCopier(hands, pace, problems), problems };
  const at = (name: string): string => join(folder, name);
  const save = (record: StepRecord): void => writeJson(at("step.json"), record, on);

  function replace(from: string, to: string): void {
    on?.(`rename ${from}`);
    renameSync(at(from), at(to));
  }

  function drop(name: string): void {
    if (!factsOf(at(name))) return;
    on?.(`remove ${name}`);
    unlinkSync(at(name));
  }

  async function carry(record: StepRecord): Promise<void> {
    hands.closeUp();
    await carryOut(record.motion!, mover, () => save(record));
    if (record.state === "discarding") return;
    const to = record.state === "undoing" ? "before" : "after";
    const nodes = await settle(folder, record, to, pace, on);
    const { motion, moving: _, ...rest } = record;
    const state = to === "before" ? "undone" : "kept";
    const litter = motion!.litter.length > 0 ? { litter: motion!.litter } : {};
    save({ ...rest, state, nodes, since: Date.now(), ...litter });
  }

  /** When what it says is so, and only remains have to be deleted. */
  async function clean(): Promise<void> {
    const record = readJson<StepRecord>(at("step.json"));
    if (record?.litter) {
      try {
        await removeAll(record.litter, mover);
      } catch (error) {
        problems.push(`Something could not be deleted: ${whyOf(error)}.`);
      }
      const { litter: _, ...rest } = record;
      save(rest);
    }
    drop("settled.json");
  }

  async function dropFolder(): Promise<void> {
    const done = readJson<StepRecord>(at("done.json"));
    await removeAll(done?.motion?.litter ?? [], mover);
    hands.makeFolder(gone, 0o700);
    // In one moment: whoever finds it gone knows that all is done.
    hands.rename(folder, join(gone, basename(folder)));
    await removeTree(gone, hands, pace);
  }

  /** From here on nobody carries it out any more. Nothing of this needs room on the disk. */
  async function giveUp(): Promise<void> {
    if (factsOf(at("step.json")) && !factsOf(at("taken-back.json"))) replace("step.json", "taken-back.json");
    if (factsOf(at("settled.json"))) replace("settled.json", "step.json");
    const record = readJson<StepRecord>(at("taken-back.json"));
    await removeAll(record?.motion?.copies.map(({ to }) => to) ?? [], mover);
    drop("taken-back.json");
    if (factsOf(at("step.json"))) return;
    const rest = visibleNamesIn(at("before"));
    if (rest.length === 0) return removeTree(folder, hands, pace);
    // Somebody else put something in its place meanwhile. It is not ours to delete.
    const place = `${folder}-left-${newId()}`;
    on?.(`rename ${folder}`);
    renameSync(folder, place);
    problems.push(`Something else is in the place of what was put back: what was there before lies in ${place}.`);
  }

  async function finish(record: StepRecord): Promise<void> {
    try {
      await carry(record);
    } catch (error) {
      try {
        await takeBack(record.motion!, mover);
        await giveUp();
      } catch (worse) {
        throw new Stuck(`${whyOf(error)}, and it could not be taken back: ${whyOf(worse)}`, { cause: error });
      }
      throw error;
    }
    if (record.state === "discarding") {
      replace("step.json", "done.json");
      await dropFolder();
    } else await clean();
  }

  return {
    folder,
    mover,
    async run(record) {
      if (factsOf(at("step.json"))) {
        on?.("link settled.json");
        if (factsOf(at("settled.json"))) unlinkSync(at("settled.json"));
        linkOrCopy(at("step.json"), at("settled.json"));
      }
      save(record);
      await finish(record);
    },
    async goOn(state) {
      const taken = readJson<StepRecord>(at("taken-back.json"));
      if (taken) {
        await giveUp();
        return { ended: "taken back", record: taken };
      }
      const done = readJson<StepRecord>(at("done.json"));
      const record = done ?? readJson<StepRecord>(at("step.json"));
      if (done) await dropFolder();
      else if (!record) await removeTree(folder, hands, pace);
      else if (record.motion) {
        try {
          await finish(record);
        } catch (error) {
          if (error instanceof Stuck) throw error;
          return { ended: "taken back", record, why: whyOf(error) };
        }
      } else {
        hands.closeUp();
        await clean();
        if (record.state !== state) return { ended: "nothing", record };
      }
      return record ? { ended: "finished", record } : { ended: "nothing" };
    },
  };
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    writeJson(to, readJson(from));
  }
}
