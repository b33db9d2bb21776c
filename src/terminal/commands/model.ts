// Commands that change who writes the code: another model, another profile.

import { loadModelList, suggestModel } from "../../models/index.ts";
import { sanitize } from "../sanitize.ts";
import type { ChatControls } from "./command.ts";
import { pick } from "./pick.ts";

export async function changeModel(chat: ChatControls, name: string): Promise<void> {
  const { interpreter, print } = chat;
  const wanted = name || (await chooseModel(chat));
  const { id } = await (wanted ? interpreter.changeModel(wanted) : interpreter.model());
  const meant = wanted && suggestModel(id, process.env);
  print(`Model: ${sanitize(id)}\n${meant ? `It is not one that is known. Did you mean ${meant}?\n` : ""}`);
}

/** Of one provider so many are shown; the others are found by their name. */
const most = 30;

async function chooseModel(chat: ChatControls): Promise<string | undefined> {
  const { interpreter, settings, print } = chat;
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  const { listModels } = await loadModelList();
  const offline = settings.offline ?? false;
  const all = await listModels({ search: "", env: process.env, cwd: interpreter.cwd, offline });
  const counts = new Map<string, number>();
  const usable = all.filter(({ usable: now, label }) => {
    counts.set(label, (counts.get(label) ?? 0) + (now ? 1 : 0));
    return now && counts.get(label)! <= most;
  });
  const current = await interpreter.model().then(
    ({ id }) => id,
    () => undefined,
  );
  if (usable.length === 0) {
    print("No other model could be used now: no key is known, and no model server answers here.\n");
    return undefined;
  }
  const choices = usable.map(({ id, label }) => ({
    label: id,
    note: id === current ? `${label}, in use` : label,
    value: id,
  }));
  return pick(chat, { title: current ? `Model (now ${current})` : "Model", choices, leaving: "changes nothing" });
}

export async function changeProfile(chat: ChatControls, name: string): Promise<void> {
  const { interpreter, print } = chat;
  if (name === "") {
    const { profileList } = await import("../profile-list.ts");
    return print(
      `${await profileList()}In use: ${sanitize(chat.settings.profile ?? "none")}. /profile NAME uses another.\n`,
    );
  }
  const { settings, options } = await chat.start.loadProfile(name);
  interpreter.use(options);
  chat.settings = settings;
  print(`Profile: ${sanitize(name)}. It holds from the next message on; live sessions go on as they are.\n`);
  const { id } = await interpreter.model();
  print(`Model: ${sanitize(id)}\n`);
}
