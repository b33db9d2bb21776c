// Commands about the chat itself: what runs unasked, colours, what was used, what holds, what is told.

import { arch, release } from "node:os";
import { InputProblem, keepSetting, type Option, options } from "../../settings/index.ts";
import { sanitize } from "../sanitize.ts";
import { chooseTheme, themes } from "../style.ts";
import { tokensTable } from "../usage.ts";
import type { ChatControls } from "./command.ts";

export function setAutoRun({ interpreter, print }: ChatControls, written: string): void {
  const wanted = readSwitch(written, "auto_run");
  if (wanted !== undefined) interpreter.autoRun = wanted;
  print(`${whatRuns(interpreter)}\n`);
}

function whatRuns({ autoRun, allowedKinds, approveWhat }: ChatControls["interpreter"]): string {
  if (autoRun) return "Code runs without asking.";
  if (approveWhat === "effects") return "Code runs at once, and what it did waits for your yes.";
  if (allowedKinds.length === 0) return "Each block waits for your yes.";
  return `Code that does nothing but this runs without asking: ${allowedKinds.join(", ")}. Any other block waits for your yes.`;
}

export function setVerbose({ interpreter, trace, print }: ChatControls, written: string): void {
  const on = readSwitch(written, "verbose") ?? interpreter.trace === undefined;
  interpreter.trace = on ? trace : undefined;
  print(on ? "What is asked of the model and what comes of blocks is told.\n" : "No more is told than usual.\n");
}

function readSwitch(written: string, name: string): boolean | undefined {
  if (written === "") return undefined;
  if (/^(on|true|yes|1)$/i.test(written)) return true;
  if (/^(off|false|no|0)$/i.test(written)) return false;
  throw new InputProblem(`It is either on or off, not ${JSON.stringify(written)}.`, `/${name} on, or /${name} off`);
}

export async function setTheme(chat: ChatControls, name: string): Promise<void> {
  const { print, settings, view } = chat;
  if (name === "") return print(`Theme: ${settings.theme ?? "auto"}. There are: ${themes.join(", ")}.\n`);
  const theme = themes.find((each) => each === name);
  if (!theme) throw new InputProblem(`There is no theme ${JSON.stringify(name)}.`, `There are: ${themes.join(", ")}.`);
  chooseTheme(theme, process.env);
  chat.settings = { ...settings, theme };
  const { bold, dim, red, green, yellow, cyan } = view.style;
  const path = await keepSetting("theme", name);
  print(`Theme: ${bold(name)} ${dim("faint")} ${red("red")} ${green("green")} ${yellow("yellow")} ${cyan("cyan")}\n`);
  print(dim(`Kept in ${path}\n`));
}

export async function showTokens({ interpreter, print }: ChatControls): Promise<void> {
  print(await tokensTable(interpreter));
}

export async function showInfo({ interpreter, settings, start, print }: ChatControls): Promise<void> {
  const model = await interpreter.model().then(
    ({ id, dialect }) => `${id}, ${dialect === "tool" ? "tool calls" : "markdown"}`,
    (error: Error) => error.message,
  );
  const sessions = (await interpreter.sessions.describe()).map(({ language, version: running }) =>
    [language, running].filter(Boolean).join(" "),
  );
  const rows = [
    ["version", `Open Interpreter ${start.version}, Node ${process.versions.node}`],
    ["system", `${process.platform} ${release()} ${arch()}`],
    ["folder", interpreter.cwd],
    ["model", model],
    ["code", whatRuns(interpreter)],
    ["sessions", sessions.join(", ") || "none yet"],
    ["conversation", `${interpreter.messages.length} messages${interpreter.title ? `, ${interpreter.title}` : ""}`],
    ...chosen(settings).map(([name, value]) => [name, value]),
  ];
  const width = Math.max(...rows.map(([name]) => name!.length)) + 2;
  print(rows.map(([name, value]) => `  ${name!.padEnd(width)}${sanitize(value!)}\n`).join(""));
}

/** The settings that somebody chose; a secret is only said to be there. */
function chosen(settings: ChatControls["settings"]): [string, string][] {
  const values = settings as Readonly<Record<string, unknown>>;
  return (options as readonly Option[]).flatMap(({ name, flag, once, secret }): [string, string][] => {
    const value = values[name];
    if (once || value === undefined) return [];
    return [[flag, secret ? "(set)" : typeof value === "string" ? value : JSON.stringify(value)]];
  });
}
