// What a typed line means: something to say, code to run in a session, or a command.

export type Command =
  | { type: "say"; text: string }
  | { type: "run"; language: string; code: string }
  /** From now on lines go to this session; undefined goes back to the model. */
  | { type: "enter"; language: string | undefined }
  /** Without a name or value: says what holds now. */
  | { type: "model"; name: string | undefined }
  | { type: "auto-run"; value: boolean | undefined }
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
  %auto_run [on|off]  whether code runs without asking; change it
  %sessions           the live sessions: version, process, memory, how long they have run
  %vars [language]    the variables in them: name, type, size and the beginning of the value
  %restart [language] end a session with its variables and start a new one
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
    case "auto_run":
      return { type: "auto-run", value: rest.trim() === "" ? undefined : !/^(off|false|no)$/i.test(rest.trim()) };
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
