// What a typed line means: something to say, code to run in a session, or a command.

export type Command =
  | { type: "say"; text: string }
  | { type: "run"; language: string; code: string }
  /** From now on lines go to this session; undefined goes back to the model. */
  | { type: "enter"; language: string | undefined }
  /** Without a name or value: says what holds now. */
  | { type: "model"; name: string | undefined }
  | { type: "tokens" }
  | { type: "compact" }
  | { type: "auto-run"; value: boolean | undefined }
  /** A file, or what is in the clipboard. */
  | { type: "image"; path: string | undefined }
  /** A picture by its number, or a file by its path; without either, the last that was shown. */
  | { type: "open"; what: string | undefined }
  /** What to look at: a name or an expression of a session. */
  | { type: "view"; what: string }
  | { type: "reset" }
  | { type: "sessions" }
  /** Of one language, or of every live session. */
  | { type: "variables"; language: string | undefined }
  | { type: "restart"; language: string | undefined }
  | { type: "help" }
  | { type: "quit" }
  | { type: "unknown"; name: string };

export const commandHelp = `
  !command            run a shell command in the live shell session
  %python [code]      run Python; without code, lines go to Python until %chat
  %js [code]          the same for JavaScript and TypeScript
  %shell [command]    the same for the shell; %r, %ruby, %sql, %java … for every other language
  %chat               talk to the model again
  %model [NAME]       which model is used; with a name, use that one
  %tokens             tokens and money of this conversation, the share that was cached, this month's total
  %compact            replace what was said so far by a summary, for the model to read
  %auto_run [on|off]  whether code runs without asking; change it
  %sessions           the live sessions: version, process, memory, how long they have run
  %vars [language]    the variables in them: name, type, size and the beginning of the value
  %restart [language] end a session with its variables and start a new one
  %view NAME          look at a table of the live session, row by row; an expression will do, too
  %open [N|FILE]      open the last picture that was shown, the N-th, or a file, with your system's viewer
  %image [FILE]       show the model a picture with your next message; without a file, the one in the clipboard
  %reset              clear the conversation and the sessions
  %quit               leave (also Ctrl-D, or Ctrl-C twice)
  """                 begins and ends a message of several lines

What you run is part of the conversation: the model sees it. / works like %.
`;

/** `current` is the session lines go to, if any; `findLanguage` the language a name means. */
export function readCommand(
  text: string,
  findLanguage: (name: string) => string | undefined,
  current?: string,
): Command {
  if (/^(exit|quit)$/i.test(text.trim()) && !current) return { type: "quit" };
  if (text.startsWith("!")) return { type: "run", language: "shell", code: text.slice(1).trim() };
  const match = /^[%/]([a-z_]+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  if (!match) return current ? { type: "run", language: current, code: text } : { type: "say", text };
  const [, name = "", rest = ""] = match;
  switch (name) {
    case "chat":
      return { type: "enter", language: undefined };
    case "model":
      return { type: "model", name: rest.trim() || undefined };
    case "tokens":
      return { type: "tokens" };
    case "compact":
      return { type: "compact" };
    case "auto_run":
      return { type: "auto-run", value: rest.trim() === "" ? undefined : !/^(off|false|no)$/i.test(rest.trim()) };
    case "image":
      return { type: "image", path: rest.trim() || undefined };
    case "open":
      return { type: "open", what: rest.trim() || undefined };
    case "view":
      return { type: "view", what: rest.trim() };
    case "reset":
      return { type: "reset" };
    case "sessions":
      return { type: "sessions" };
    case "vars":
      return { type: "variables", language: rest.trim() || current };
    case "restart":
      return { type: "restart", language: rest.trim() || current };
    case "help":
      return { type: "help" };
    case "quit":
    case "exit":
      return { type: "quit" };
  }
  const language = findLanguage(name);
  if (language) return rest.trim() ? { type: "run", language, code: rest } : { type: "enter", language };
  // A path such as /etc/hosts at the start of a sentence is not a command.
  if (text.startsWith("/")) return current ? { type: "run", language: current, code: text } : { type: "say", text };
  return current ? { type: "run", language: current, code: text } : { type: "unknown", name: `%${name}` };
}
