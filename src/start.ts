// From the command line to the interface it asks for. Loads nothing that this start does not need.

import { keepCompiled } from "./compiled.ts";
import type { InterpreterOptions } from "./interpreter/index.ts";
import {
  type AskTrust,
  type CommandLine,
  findSubcommand,
  helpText,
  homeProblem,
  InputProblem,
  isNew,
  type Loaded,
  loadSettings,
  noticesFor,
  readCommandLine,
  type Settings,
} from "./settings/index.ts";
import { version } from "./version.ts";

/** What the command was called as. */
export type CommandName = "interpreter" | "i" | "wtf";

export const start = (args: readonly string[], name: CommandName): Promise<number> =>
  begin(readCommandLine(args), name);

async function begin(line: CommandLine, name: CommandName): Promise<number> {
  const { choices, words } = line;
  if (choices.version) return print(`Open Interpreter ${version}\n`);
  if (choices.help) return print(helpText(process.stdout.columns));
  const lost = homeProblem(process.env);
  if (lost) process.stderr.write(`${lost}\n`);
  // A key on the command line is there for every program to read; this takes it away again, where that can be done.
  if (choices.apiKey) process.title = name;
  const command = name === "wtf" ? "wtf" : name === "interpreter" ? findSubcommand(words) : undefined;
  if (command) {
    const { runSubcommand } = await import("./run-subcommand.ts");
    const rest = name === "wtf" ? words : words.slice(1);
    const again = (other: CommandLine) => begin(other, name);
    return runSubcommand(command, { words: rest, line, settings: () => settingsFor(line), readPiped, begin: again });
  }
  if (choices.profiles || choices.localModels || choices.resetProfile || choices.server || choices.save) {
    const { runFlag } = await import("./run-flag.ts");
    return runFlag(line, () => settingsFor(line));
  }
  const resumed = choices.resume === undefined ? undefined : await resume(choices.resume, line);
  if (typeof resumed === "number") return resumed;
  const loaded = await loadFor(line, isWatched(line) ? askTrust : undefined);
  for (const notice of loaded.notices) process.stderr.write(`${notice}\n`);
  let { settings } = loaded;
  if (words.length === 0 && isWatched(line) && isNew(settings, process.env)) {
    const { openFirstRun } = await import("./terminal/index.ts");
    const chosen = await (await openFirstRun()).firstRun(settings);
    if (chosen === "tour") return (await import("./tour/index.ts")).runTour(settings);
    settings = chosen;
  }
  if (settings.local || /^embedded\/|\.gguf$/i.test(settings.model ?? "")) {
    const { openLocalMenu } = await import("./terminal/index.ts");
    const ready = await (await openLocalMenu()).readyHere(settings);
    if (!ready) return 130;
    settings = ready;
  }
  const piped = process.stdin.isTTY ? "" : await readPiped();
  const notebook = words.length === 1 && /\.ipynb$/i.test(words[0]!);
  const spoken = notebook ? [] : words;
  const said = sayable(settings.stdin ? [piped.split("\n", 1)[0]!] : [settings.input ?? "", ...spoken], name);
  await checkPython(settings);
  const held = resumed ?? (await (notebook ? openNotebook(words[0]!, settings) : conversation(settings)));
  const options = { ...settings, ...(await beyondSettings(loaded)), conversation: held };
  const terminal = await import("./terminal/index.ts");
  keepCompiled();
  const staying = settings.interactive === true && process.stdin.isTTY && !settings.json && !settings.outputSchema;
  const attached = settings.stdin ? "" : piped;
  if ((said || attached.trim()) && !staying) return terminal.runOneShot(said, attached, settings, options);
  if (!process.stdin.isTTY || settings.json || settings.outputSchema || settings.interactive === false) {
    throw new InputProblem(
      "There is nothing to do: no words were given and nothing was piped in.",
      'For example: interpreter "what is in this folder?"',
    );
  }
  const loadProfile = async (profile: string) => {
    const other = await loadFor({ ...line, choices: { ...choices, profile } });
    return { settings: other.settings, options: { ...other.settings, ...(await beyondSettings(other)) } };
  };
  return (await terminal.openChat()).runChat(settings, options, { version, said, notebook, loadProfile });
}

/** The settings of this start; what they change right away is changed, and what they do not change is said. */
async function loadFor(line: CommandLine, askTrust?: AskTrust): Promise<Loaded> {
  const loaded = await loadSettings(line, process.cwd(), process.env, { askTrust });
  const { settings } = loaded;
  for (const notice of noticesFor(settings)) process.stderr.write(`${notice}\n`);
  if (settings.offline) (await import("./machine/index.ts")).stayOnThisMachine();
  const { provider, model } = settings;
  const named = provider && model && !model.includes("/") ? { model: `${provider}/${model}` } : await quick(loaded);
  return { ...loaded, settings: { ...settings, ...named, ...(settings.stdin && { plain: true }) } };
}

/** With the profile `fast`, a quick model, unless one was named after the person's own settings. */
async function quick({ settings, origins }: Loaded): Promise<Partial<Settings>> {
  if (!settings.fast || (origins.model && origins.model.from !== "settings")) return {};
  const { quickModel } = await (await import("./interpreter/index.ts")).loadQuickModel();
  const model = await quickModel(settings.model, { ...settings, cwd: process.cwd(), env: process.env });
  return model ? { model } : {};
}

const settingsFor = async (line: CommandLine): Promise<Settings> => (await loadFor(line)).settings;

/** Whether somebody is there to be asked before anything is done. */
const isWatched = ({ choices }: CommandLine): boolean =>
  process.stdin.isTTY === true && process.stdout.isTTY === true && !choices.json && !choices.outputSchema;

const askTrust: AskTrust = async (...project) =>
  (await (await import("./terminal/index.ts")).openTrust()).askTrust(...project);

/** What an interpreter is told besides the settings: instructions, and what a profile that is code gives. */
async function beyondSettings({ instructions, given, settings }: Loaded): Promise<Partial<InterpreterOptions>> {
  const told = instructions.length > 0 ? { instructions } : {};
  if (Object.keys(given).length === 0) return told;
  const { givenOptions } = await (await import("./interpreter/index.ts")).loadGiven();
  return { ...told, ...givenOptions(given, settings.customLanguages) };
}

/** `i want a chart` is a sentence already; `i list files` is one without the "I". */
function sayable(words: readonly string[], name: CommandName): string {
  const text = words.join(" ").trim();
  return name === "i" && /^(want|need|would|wish|have|am|can't|cannot|don't|forgot|lost)\b/i.test(text)
    ? `I ${text}`
    : text;
}

async function readPiped(): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}

async function checkPython({ python }: Settings): Promise<void> {
  if (!python) return;
  const [{ allLanguages }, { localMachine: machine }] = await Promise.all([
    import("./languages/index.ts"),
    import("./machine/index.ts"),
  ]);
  const language = allLanguages(process.env).find(({ name }) => name === "python");
  const found = await language?.available({ machine, python, cwd: process.cwd(), env: process.env });
  if (typeof found === "string")
    throw new InputProblem(found, "Name a Python interpreter, or the folder of an environment.");
}

/** The conversation with this name, from whose folder everything goes on; a number is how the program ends instead. */
async function resume(written: string, line: CommandLine) {
  const { openResume } = await import("./terminal/index.ts");
  const here = async () => (await loadSettings(line, process.cwd(), process.env)).settings;
  return (await openResume()).openResumed(written, here);
}

/** A notebook as the conversation to go on with. */
async function openNotebook(path: string, settings: Settings) {
  const { openNotebookFile } = await import("./terminal/index.ts");
  return (await openNotebookFile()).openNotebookFile(path, settings);
}

/** The last conversation of this folder, or whether a new one is kept. */
async function conversation(settings: Settings) {
  if (!settings.continue) return true;
  const [{ latestConversation }, { places }] = await Promise.all([
    import("./conversations/index.ts"),
    import("./settings/index.ts"),
  ]);
  const last = latestConversation(places().conversations, process.cwd());
  if (!last) throw new InputProblem("There is no conversation in this folder to continue.", "Start one: interpreter");
  for (const problem of last.problems) process.stderr.write(`${problem}\n`);
  return last;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
