// The one table of the chat's commands. What is typed, Tab, the help, the documents and the manual page are made from it.
// What a command does is loaded when it is first used.

import { foldWords } from "../text/fold-words.ts";
import type { Command } from "./command.ts";

const about = () => import("./about.ts");
const effects = () => import("./effects.ts");
const conversations = () => import("./conversations.ts");
const files = () => import("./files.ts");
const model = () => import("./model.ts");
const rules = () => import("./rules.ts");
const sessions = () => import("./sessions.ts");
const turns = () => import("./turns.ts");

export const commands: readonly Command[] = [
  {
    name: "chat",
    help: "talk to the model again, after lines went to a session",
    run: (chat) => {
      chat.language = undefined;
    },
  },
  {
    name: "model",
    argument: "[NAME]",
    help: "use another model; without a name, choose from those that could be used now",
    run: async (chat, name) => (await model()).changeModel(chat, name),
  },
  {
    name: "profile",
    argument: "[NAME]",
    help: "use the settings of a profile; without a name, which there are",
    run: async (chat, name) => (await model()).changeProfile(chat, name),
  },
  {
    name: "auto_run",
    argument: "[on|off]",
    words: ["on", "off"],
    help: "whether code runs without asking; change it",
    run: async (chat, value) => (await about()).setAutoRun(chat, value),
  },
  {
    name: "approve",
    argument: "[code|effects|never]",
    words: ["code", "effects", "never"],
    help: "what you are asked about: code before it runs, effects before they are kept, or never; change it",
    run: async (chat, what) => (await effects()).setApprove(chat, what),
  },
  {
    name: "rules",
    argument: "[check WHAT]",
    words: ["check"],
    help: "what code may do, must ask for or may not do, and where that is said; check explains one",
    run: async (chat, written) => (await rules()).showRules(chat, written),
  },
  {
    name: "allow",
    argument: "[once|conversation|always] host|write|read|command|language WHAT",
    words: ["host", "write", "read", "command", "language", "once", "conversation", "always"],
    help: "let code reach a host, write or read somewhere; for this conversation unless you say else",
    run: async (chat, written) => (await rules()).addRule(chat, "allow", written),
  },
  {
    name: "deny",
    argument: "[once|conversation|always] host|write|read|command|language WHAT",
    words: ["host", "write", "read", "command", "language", "once", "conversation", "always"],
    help: "the same the other way round: code may not",
    run: async (chat, written) => (await rules()).addRule(chat, "deny", written),
  },
  {
    name: "tokens",
    help: "tokens and money of this conversation, the share that was cached, this month's total",
    run: async (chat) => (await about()).showTokens(chat),
  },
  {
    name: "outbox",
    argument: "[N|search WORDS]",
    words: ["search"],
    help: "what was sent to the model in this conversation; with a number, one request whole",
    run: async (chat, which) => (await import("./outbox.ts")).showOutbox(chat, which),
  },
  {
    name: "compact",
    help: "replace what was said so far by a summary, for the model to read",
    run: (chat) => chat.follow(false, (signal) => chat.interpreter.compact({ signal })),
  },
  {
    name: "sessions",
    help: "the live sessions: version, process, memory, how long they have run",
    run: async (chat) => (await sessions()).showSessions(chat),
  },
  {
    name: "vars",
    argument: "[LANGUAGE]",
    help: "the variables in them: name, type, size and the beginning of the value",
    run: async (chat, name) => (await sessions()).showVariables(chat, name),
  },
  {
    name: "restart",
    argument: "[LANGUAGE]",
    help: "end a session with its variables and start a new one",
    run: async (chat, name) => (await sessions()).restart(chat, name),
  },
  {
    name: "view",
    argument: "NAME",
    help: "look at a table of the live session, row by row; an expression will do, too",
    run: async (chat, what) => (await sessions()).lookAt(chat, what),
  },
  {
    name: "open",
    argument: "[N|FILE]",
    help: "open the last picture or file that was shown, the N-th, or any file, with your system's viewer",
    run: async (chat, what) => (await files()).open(chat, what),
  },
  {
    name: "image",
    argument: "[FILE]",
    help: "show the model a picture with your next message; without a file, the one in the clipboard",
    run: async (chat, path) => (await files()).takeImage(chat, path),
  },
  {
    name: "copy",
    argument: "[N]",
    help: "copy the last answer to the clipboard; with a number, the N-th block of code from the end",
    run: async (chat, which) => (await import("./copy.ts")).copy(chat, which),
  },
  {
    name: "export",
    argument: "[clean] [md|html|ipynb|script] [FILE]",
    words: ["md", "html", "ipynb", "script", "clean"],
    help: "write the conversation to a file, or with clean only what its results need",
    run: async (chat, written) => (await files()).exportTo(chat, written),
  },
  {
    name: "reset",
    help: "clear the conversation and the sessions",
    run: async (chat) => (await conversations()).reset(chat),
  },
  {
    name: "undo",
    argument: "[list|STEP]",
    words: ["list"],
    help: "take back the last turn, with what its code did to files; /undo list, /undo 12: single steps",
    run: async (chat, which) => (await turns()).undo(chat, which),
  },
  {
    name: "redo",
    argument: "[STEP]",
    help: "put back the turn that was taken back last, unless something was said since; /redo 12: a step",
    run: async (chat, which) => (await turns()).redo(chat, which),
  },
  {
    name: "effects",
    argument: "[STEP]",
    help: "what the last step, or the one with that number, did to files",
    run: async (chat, which) => (await effects()).showEffects(chat, which),
  },
  {
    name: "diff",
    argument: "[STEP]",
    help: "the same, line by line, in your pager",
    run: async (chat, which) => (await effects()).showDiff(chat, which),
  },
  {
    name: "retry",
    help: "take back the last turn and say the same again",
    run: async (chat) => (await turns()).retry(chat),
  },
  {
    name: "edit",
    help: "take back the last turn and put what you said on the line, to change it",
    run: async (chat) => (await turns()).edit(chat),
  },
  {
    name: "resume",
    argument: "[WORDS]",
    help: "go on with another conversation, chosen from a list; with words, from those that have them",
    run: async (chat, words) => (await conversations()).resume(chat, words),
  },
  {
    name: "fork",
    argument: "[N]",
    help: "go on in a copy of this conversation; with a number, of its first N turns",
    run: async (chat, turn) => (await conversations()).fork(chat, turn),
  },
  {
    name: "search",
    argument: "WORDS",
    help: "find conversations by what was said, run or printed in them",
    run: async (chat, words) => (await conversations()).search(chat, words),
  },
  {
    name: "rename",
    argument: "TITLE",
    help: "give this conversation a title",
    run: async (chat, title) => (await conversations()).rename(chat, title),
  },
  {
    name: "theme",
    argument: "[auto|light|dark|none]",
    words: ["auto", "light", "dark", "none"],
    help: "colours for a light or a dark terminal, or none; kept in your settings",
    run: async (chat, name) => (await about()).setTheme(chat, name),
  },
  {
    name: "info",
    help: "version, system, model, folder and the settings that were chosen",
    run: async (chat) => (await about()).showInfo(chat),
  },
  {
    name: "verbose",
    aliases: ["debug"],
    argument: "[on|off]",
    words: ["on", "off"],
    help: "tell what is asked of the model and what comes of blocks: sizes, times; change it",
    run: async (chat, value) => (await about()).setVerbose(chat, value),
  },
  {
    name: "help",
    argument: "[COMMAND]",
    help: "the commands; with a name, only that one",
    run: async (chat, name) => {
      const text = (await import("./help.ts")).helpFor(name);
      chat.print(chat.view.live ? foldWords(text, (process.stdout.columns || 80) - 1, 20) : text);
    },
  },
  {
    name: "quit",
    aliases: ["exit"],
    help: "leave (also Ctrl-D, or Ctrl-C twice)",
    run: (chat) => chat.quit(),
  },
  {
    name: "save_message",
    argument: "[FILE]",
    help: "write the messages as JSON; messages.json without a name",
    legacy: true,
    run: async (chat, file) => (await files()).saveMessages(chat, file),
  },
  {
    name: "load_message",
    argument: "[FILE]",
    help: "begin a new conversation with messages from JSON; messages.json without a name",
    legacy: true,
    run: async (chat, file) => (await files()).loadMessages(chat, file),
  },
  {
    name: "jupyter",
    help: "the same as export ipynb, into your Downloads",
    legacy: true,
    run: async (chat) => (await files()).exportToDownloads(chat, "ipynb", ""),
  },
  {
    name: "markdown",
    argument: "[FILE]",
    help: "the same as export md, into your Downloads",
    legacy: true,
    run: async (chat, file) => (await files()).exportToDownloads(chat, "md", file),
  },
];

/** What can be typed and is no command: beginnings that run code. */
export const beginnings: readonly (readonly [written: string, help: string])[] = [
  ["!COMMAND", "run a shell command in the live shell session"],
  ["%%COMMAND", "the same, without telling the model"],
  ["%python [CODE]", "run Python; without code, lines go to Python until %chat"],
  ["%js [CODE]", "the same for JavaScript and TypeScript"],
  ["%shell [COMMAND]", "the same for the shell; %r, %ruby, %sql, %java … for every other language"],
  ["%pip install NAME", "install a package for the Python session; also %uv, %conda"],
  ['"""', "begins and ends a message of several lines"],
];

export const findCommand = (name: string): Command | undefined =>
  commands.find((command) => command.name === name || command.aliases?.includes(name));

/** Every name that means a command. */
export const commandNames: readonly string[] = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);

export const signature = ({ name, argument }: Command): string => (argument ? `${name} ${argument}` : name);
