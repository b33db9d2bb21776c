// From the command line to the interface it asks for. Loads nothing that this start does not need.

import { helpText, InputProblem, loadSettings, readCommandLine, type Settings } from "./settings/index.ts";
import { version } from "./version.ts";

export async function start(args: readonly string[], name: "interpreter" | "i"): Promise<number> {
  const line = readCommandLine(args);
  if (line.choices.version) return print(`Open Interpreter ${version}\n`);
  if (line.choices.help) return print(helpText());
  const settings = await loadSettings(line, process.cwd(), process.env);
  if (name === "interpreter" && line.words.length === 1 && line.words[0] === "tour") {
    const { runTour } = await import("./tour/index.ts");
    return runTour(settings);
  }
  const said = sayable(line.words, name);
  const piped = process.stdin.isTTY ? "" : await readPiped();
  await checkPython(settings);
  const options = { ...settings, conversation: await conversation(settings) };
  const terminal = await import("./terminal/index.ts");
  if (said || piped.trim()) return terminal.runOneShot(said, piped, settings, options);
  if (!process.stdin.isTTY || settings.json) {
    throw new InputProblem(
      "There is nothing to do: no words were given and nothing was piped in.",
      'For example: interpreter "what is in this folder?"',
    );
  }
  return terminal.runChat(settings, options);
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
