// `interpreter config`: every setting with its value and where it comes from; changing one in settings.yaml.

import { existsSync } from "node:fs";
import {
  type CommandLine,
  InputProblem,
  type Loaded,
  loadSettings,
  type Option,
  openSettings,
  originText,
  type Value,
} from "../settings/index.ts";
import { configRows, configTable, inOneLine, showable } from "./config-table.ts";
import { createStyle, wantsColour } from "./style.ts";

type Inside = Awaited<ReturnType<typeof openSettings>>;

/** The words after `config`. */
export async function runConfig([verb, name, ...values]: readonly string[], line: CommandLine): Promise<number> {
  const inside = await openSettings();
  if (verb === "path") return print(`${inside.settingsPath()}\n`);
  if (verb === "schema") return print(`${JSON.stringify(inside.settingsSchema(), null, 2)}\n`);
  if (verb === undefined) return list(await load(line), line, inside);
  if (!name) throw new InputProblem(`Which setting? \`config ${verb}\` needs the name of one.`, usage[verb]);
  if (verb === "unset") return unset(name, line, inside);
  const option = named(name, inside);
  return verb === "get" ? get(option, await load(line)) : set(option, values, line, inside);
}

const usage: Readonly<Record<string, string>> = {
  get: "For example: interpreter config get model",
  set: "For example: interpreter config set max_steps 20",
  unset: "For example: interpreter config unset model",
};

const load = (line: CommandLine): Promise<Loaded> => loadSettings(line, process.cwd(), process.env);

function named(name: string, { findSetting, notASetting }: Inside): Option {
  const option = findSetting(name);
  if (!option) throw notASetting(name, name);
  return option;
}

function list(loaded: Loaded, { choices }: CommandLine, { settable, settingsPath }: Inside): number {
  const rows = configRows(loaded, settable);
  if (choices.json)
    return print(
      `${JSON.stringify(
        rows.map(({ name, value, origin }) => ({ name, value, ...origin })),
        null,
        1,
      )}\n`,
    );
  if (!process.stdout.isTTY && !choices.plain)
    return print(rows.map((row) => `${row.name}\t${inOneLine(row.value)}\t${originText(row.origin)}\n`).join(""));
  const style = createStyle(wantsColour(process.stdout, loaded.settings.plain ?? false, process.env));
  const free = settable.filter(({ name, legacy }) => !legacy && !(name in loaded.settings)).map(({ flag }) => flag);
  const path = settingsPath();
  return print(
    [
      ...configTable(rows, process.stdout.columns || 100, style),
      ...unusedProject(loaded),
      `\n${style.dim(wrapped(`Not set: ${free.join(", ")}`, process.stdout.columns || 100))}\n`,
      `${style.dim(existsSync(path) ? `Yours are in ${path}` : `Yours would be in ${path}`)}\n`,
    ].join(""),
  );
}

/** Broken between words. */
const wrapped = (text: string, columns: number): string =>
  text.replace(new RegExp(`(.{1,${columns - 1}})(?: |$)`, "g"), "$1\n").trimEnd();

function unusedProject({ project }: Loaded): string[] {
  if (!project || project.trusted) return [];
  return [`\n${project.path} is not used: this folder is not trusted. See what it sets: interpreter trust\n`];
}

function get(option: Option, { settings }: Loaded): number {
  const value = (settings as Readonly<Record<string, unknown>>)[option.name];
  if (value === undefined) {
    process.stderr.write(`${option.flag} is not set.\n`);
    return 1;
  }
  const shown = showable(option, value);
  return print(`${Array.isArray(shown) ? shown.join("\n") : shown}\n`);
}

async function set(option: Option, values: readonly string[], line: CommandLine, inside: Inside): Promise<number> {
  if (option.secret)
    throw new InputProblem("Keys are not written into settings.yaml.", "Keep one: interpreter keys set PROVIDER");
  if (values.length === 0) throw new InputProblem(`To what? ${option.flag} takes ${option.value ?? "true or false"}.`);
  const text = values.join(option.kind === "list" ? "\n" : " ");
  const value: Value = inside.valueFromText(option, text, option.flag);
  await checkFile(inside);
  const path = await inside.keepSetting(option.flag, value);
  return print(`${option.flag} is ${inOneLine(value)} now, in ${path}\n${await stronger(option, line)}`);
}

async function unset(name: string, line: CommandLine, inside: Inside): Promise<number> {
  await checkFile(inside);
  const option = inside.findSetting(name);
  if (!(await inside.dropSetting(option?.flag ?? name))) {
    named(name, inside);
    throw new InputProblem(
      `${option?.flag} is not in ${inside.settingsPath()}.`,
      "interpreter config says where it is.",
    );
  }
  return print(
    `${option?.flag ?? name} is out of ${inside.settingsPath()}\n${option ? await stronger(option, line) : ""}`,
  );
}

/** A file that is no YAML is not written over. */
async function checkFile({ settingsPath, checkYaml }: Inside): Promise<void> {
  if (existsSync(settingsPath())) await checkYaml(settingsPath());
}

/** What holds all the same, when something else says it. */
async function stronger(option: Option, line: CommandLine): Promise<string> {
  const { settings, origins } = await load(line);
  const origin = origins[option.name];
  if (!origin || origin.from === "settings" || origin.from === "default") return "";
  const value = showable(option, (settings as Readonly<Record<string, unknown>>)[option.name]);
  return `Here it is ${inOneLine(value)} all the same: ${originText(origin)}\n`;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
