// From the command line to the interface it asks for. Loads nothing that this start does not need.

import { helpText, InputProblem, loadSettings, readCommandLine, type Settings } from "./settings/index.ts";
import { version } from "./version.ts";

export async function start(args: readonly string[], name: "interpreter" | "i"): Promise<number> {
  const line = readCommandLine(args);
  if (line.choices.version) return print(`Open Interpreter ${version}\n`);
  if (line.choices.help) return print(helpText());
  let settings = await loadSettings(line, process.cwd(), process.env);
  // A key on the command line is there for every program to read; this takes it away again, where that can be done.
  if (line.choices.apiKey) process.title = name;
  if (settings.offline) (await import("./machine/index.ts")).stayOnThisMachine();
  if (name === "interpreter" && line.words.length === 1 && line.words[0] === "tour") {
    const { runTour } = await import("./tour/index.ts");
    return runTour(settings);
  }
  if (name === "interpreter" && isAboutKeys(line.words)) {
    const { openKeysCommand } = await import("./terminal/index.ts");
    return (await openKeysCommand()).runKeys(line.words.slice(1), readPiped);
  }
  if (name === "interpreter" && isAboutInstall(line.words)) {
    const { openInstall } = await import("./terminal/index.ts");
    return (await openInstall()).runInstall(line.words[1]!, settings);
  }
  if (settings.local || /^embedded\/|\.gguf$/i.test(settings.model ?? "")) {
    const { openLocalMenu } = await import("./terminal/index.ts");
    const ready = await (await openLocalMenu()).readyHere(settings);
    if (!ready) return 130;
    settings = ready;
  }
  if (name === "interpreter" && line.words[0] === "models" && line.words.length <= 2) {
    const { openModelsCommand } = await import("./terminal/index.ts");
    return (await openModelsCommand()).runModels(line.words.slice(1), settings);
  }
  const said = sayable(line.words, name);
  const piped = process.stdin.isTTY ? "" : await readPiped();
  await checkPython(settings);
  const options = { ...settings, conversation: await conversation(settings) };
  const terminal = await import("./terminal/index.ts");
  if (said || piped.trim()) return terminal.runOneShot(said, piped, settings, options);
  if (!process.stdin.isTTY || settings.json || settings.outputSchema) {
    throw new InputProblem(
      "There is nothing to do: no words were given and nothing was piped in.",
      'For example: interpreter "what is in this folder?"',
    );
  }
  return (await terminal.openChat()).runChat(settings, options);
}

/** `keys`, `keys set anthropic`; anything else that begins with the word is said. */
function isAboutKeys([first, verb, ...rest]: readonly string[]): boolean {
  if (first !== "keys") return false;
  if (verb === undefined) return true;
  return (verb === "list" && rest.length === 0) || (/^(set|remove)$/.test(verb) && rest.length <= 2);
}

/** `install embedded`, `install embedded/NAME`. */
function isAboutInstall([first, what = "", ...rest]: readonly string[]): boolean {
  return first === "install" && rest.length === 0 && /^embedded(\/\S+)?$/.test(what);
}

/** `i want a chart` is a sentence already; `i list files` is one without the "I". */
function sayable(words: readonly string[], name: "interpreter" | "i"): string {
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
