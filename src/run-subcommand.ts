// What each subcommand of the table does. Loaded when one was given; each loads its own part.

import {
  type CommandLine,
  completionShells,
  helpText,
  hookShells,
  InputProblem,
  loadCompletions,
  loadManual,
  type Settings,
  type SubcommandName,
} from "./settings/index.ts";
import { version } from "./version.ts";

export interface SubcommandCall {
  /** The words after its name. */
  words: readonly string[];
  line: CommandLine;
  settings(): Promise<Settings>;
  /** Everything that comes in through a pipe. */
  readPiped(): Promise<string>;
  /** Starts with another command line instead. */
  begin(line: CommandLine): Promise<number>;
}

const runs: Record<SubcommandName, (call: SubcommandCall) => Promise<number>> = {
  tour: async ({ settings }) => (await import("./tour/index.ts")).runTour(await settings()),
  models: async ({ words, settings }) =>
    (await (await terminal()).openModelsCommand()).runModels(words, await settings()),
  keys: async ({ words, settings, readPiped }) => {
    await settings();
    return (await (await terminal()).openKeysCommand()).runKeys(words, readPiped);
  },
  config: async ({ words, line }) => (await (await terminal()).openConfigCommand()).runConfig(words, line),
  trust: async ({ line }) => (await (await terminal()).openTrust()).runTrust(line),
  rules: async ({ words, line }) => (await (await terminal()).openRulesCommand()).runRules(words, line),
  install: async ({ words, settings }) =>
    (await (await terminal()).openInstall()).runInstall(words[0]!, await settings()),
  undo: async (call) => (await (await terminal()).openUndoCommand()).runUndo(call, "undo"),
  redo: async (call) => (await (await terminal()).openUndoCommand()).runUndo(call, "redo"),
  conversations: async (call) => (await (await terminal()).openConversationsCommand()).runConversations(call),
  export: async ({ words, settings }) =>
    (await (await terminal()).openExportCommand()).runExport(words[0], await settings()),
  outbox: async ({ words, settings }) =>
    (await (await terminal()).openOutboxCommand()).runOutbox(words, await settings()),
  wtf: async (call) => (await (await terminal()).openWtf()).runWtf(call),
  hook: async ({ words }) => print((await (await terminal()).openHooks()).hookFor(oneOf(hookShells, words, "hook"))),
  completions: async ({ words }) =>
    print((await loadCompletions()).completionsFor(oneOf(completionShells, words, "completions"))),
  man: async () => {
    const { chatCommands } = await (await terminal()).openCommandTable();
    return print((await loadManual()).manualPage(version, chatCommands()));
  },
  help: async () => print(helpText(process.stdout.columns)),
};

export const runSubcommand = (name: SubcommandName, call: SubcommandCall): Promise<number> => runs[name](call);

const terminal = () => import("./terminal/index.ts");

function oneOf<T extends string>(shells: readonly T[], [word]: readonly string[], command: string): T {
  const shell = shells.find((each) => each === word);
  if (shell) return shell;
  throw new InputProblem(
    word ? `There is nothing for ${JSON.stringify(word)}.` : "Which shell?",
    `interpreter ${command} ${shells.join("|")}`,
  );
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
