// Flags of the original that do one thing and exit: opening a folder, putting a profile aside, writing one.

import { type CommandLine, InputProblem, loadSavedProfiles, places, type Settings } from "./settings/index.ts";

export async function runFlag({ choices }: CommandLine, settings: () => Promise<Settings>): Promise<number> {
  if (choices.server)
    throw new InputProblem(
      "There is no server yet.",
      "A program can use the library, or start `interpreter --json` and read its lines: docs/automation.md",
    );
  if (choices.save !== undefined) {
    await settings();
    const { saveProfile } = await loadSavedProfiles();
    return print(`Kept in ${await saveProfile(choices.save, choices, process.cwd(), places())}`);
  }
  if (choices.resetProfile !== undefined) {
    const { setAside } = await loadSavedProfiles();
    return print(setAside(choices.resetProfile, places()));
  }
  if (choices.profiles)
    process.stdout.write(await (await (await import("./terminal/index.ts")).openProfileList()).profileList());
  const { openFolder } = await (await import("./terminal/index.ts")).openFolders();
  return print(await openFolder(choices.profiles ? "profiles" : "models"));
}

function print(sentence: string): number {
  process.stdout.write(`${sentence}\n`);
  return 0;
}
