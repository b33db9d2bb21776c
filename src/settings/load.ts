// Puts the choices together: defaults, then the settings file, the profile, the project's file, the environment, and the flags.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AskTrust, UsedProject } from "./admit-project.ts";
import { agreeOnApproval } from "./approve.ts";
import type { GivenByCode } from "./code-profile.ts";
import type { CustomLanguage } from "./custom-languages.ts";
import { readSettings } from "./files.ts";
import type { CommandLine } from "./flags.ts";
import { type Choices, defaults, type Option, options, type Settings } from "./options/index.ts";
import { type Origin, originText } from "./origin.ts";
import { type Places, places } from "./places.ts";
import type { Profile } from "./profiles.ts";
import { findProjectSettings, projectFolders, readInstructions } from "./project.ts";
import { valueFromText } from "./values.ts";

export interface Loaded {
  settings: Settings;
  /** By the name of the setting. */
  origins: Readonly<Record<string, Origin>>;
  /** For the system message, beside the person's own: of profiles, and of AGENTS.md. */
  instructions: readonly string[];
  /** What a profile that is code gives besides settings. */
  given: GivenByCode;
  /** What the person should know. */
  notices: readonly string[];
  /** The project's settings, used or not. */
  project?: UsedProject;
}

export interface LoadOptions {
  /** Asks whether a folder with settings is trusted. Without it those settings are not used. */
  askTrust?: AskTrust | undefined;
}

/** Choices that belong together, and where each of them comes from. */
interface Layer {
  choices: Choices;
  origin(name: string): Origin;
}

export async function loadSettings(
  line: CommandLine,
  cwd: string,
  env: NodeJS.ProcessEnv,
  { askTrust }: LoadOptions = {},
): Promise<Loaded> {
  const where = places(env);
  const folders = projectFolders(cwd, env);
  const own = await settingsFile(where);
  const environment = fromEnvironment(env);
  const chosen = { ...environment.choices, ...line.choices };
  const read = await profiles(line.choices, { ...own.choices, ...chosen }.profile, own.choices, cwd, env);
  const file = findProjectSettings(folders);
  const project = file && (await (await import("./admit-project.ts")).admitProject(file, where, askTrust));
  const layers: Layer[] = [
    { choices: defaults, origin: () => ({ from: "default" }) },
    own,
    ...read.map(profileLayer),
    ...(project ? [projectLayer(project)] : []),
    environment,
    { choices: line.choices, origin: (name) => ({ from: "flag", name: `--${flagOf(name)}` }) },
  ];
  const { settings, origins } = merge(layers);
  const given = Object.assign({}, ...read.map((profile) => profile.given)) as GivenByCode;
  // A model that was named later than the profile that is one takes its place.
  if (origins.model?.from !== "profile") delete given.model;
  // Who names the model and a profile that would ask for one is not asked.
  if (settings.local && !line.choices.local && /environment|flag/.test(origins.model?.from ?? ""))
    settings.local = false;
  const instructions = settings.projectInstructions ? readInstructions(folders) : [];
  const risky = instructions.length > 0 && settings.autoRun;
  const untrusted = risky && !(await import("./trust.ts")).isTrusted(where, folders);
  return {
    settings,
    origins,
    instructions: [...read.flatMap((profile) => profile.instructions?.trim() ?? []), ...instructions],
    given,
    notices: [
      ...read.flatMap((profile) => profile.notice ?? []),
      ...(project?.notices ?? []),
      ...(untrusted ? [unwatched] : []),
    ],
    ...(project && { project }),
  };
}

const unwatched =
  "AGENTS.md of this folder tells the model what to do, and code runs without asking (-y). If you know what is in it: interpreter trust. To leave it out: --no-project_instructions";

async function settingsFile({ config }: Places): Promise<Layer> {
  const path = join(config, "settings.yaml");
  if (!existsSync(path)) return { choices: {}, origin: () => ({ from: "settings", path }) };
  const { choices, lines } = await readSettings(path);
  return { choices, origin: (name) => ({ from: "settings", path, line: lines[name]! }) };
}

/** Flags that are profiles, in the order they are put together; the one that is named comes last. */
const shorthands = ["local", "fast", "vision", "os"] as const;

async function profiles(
  flags: Choices,
  named: string | undefined,
  settings: Choices,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Profile[]> {
  const names: string[] = shorthands.filter((name) => flags[name]);
  if (named !== undefined && !names.includes(named)) names.push(named);
  if (names.length === 0) return [];
  const { readProfile } = await import("./profiles.ts");
  const where = places(env);
  const context = { cwd, env, platform: process.platform, settings };
  // A path in settings.yaml or in a variable means the same in every folder.
  return Promise.all(
    names.map((name) => readProfile(name, where, name === flags.profile ? cwd : where.config, context)),
  );
}

const profileLayer = ({ name, path, lines, choices }: Profile): Layer => ({
  choices,
  origin: (each) => ({ from: "profile", name, ...(path && { path }), ...(lines?.[each] && { line: lines[each] }) }),
});

const projectLayer = ({ path, choices, lines }: UsedProject): Layer => ({
  choices,
  origin: (name) => ({ from: "project", path, line: lines[name]! }),
});

/** Later layers win. Languages add up: one with a name that is there already takes its place. So does what is never sent. */
function merge(layers: readonly Layer[]): Pick<Loaded, "settings" | "origins"> {
  const settings: Record<string, unknown> = {};
  const origins: Record<string, Origin> = {};
  const languages = new Map<string, CustomLanguage>();
  const neverSend = new Set<string>();
  for (const { choices, origin } of layers) {
    const { from } = origin("approveWhat");
    const where = originText({ ...origin("autoRun"), line: undefined });
    for (const [name, value] of Object.entries(agreeOnApproval(choices, settings, from === "flag", where))) {
      settings[name] = value;
      origins[name] = origin(name in choices ? name : name === "autoRun" ? "approveWhat" : "autoRun");
    }
    for (const pattern of choices.neverSend ?? []) neverSend.add(pattern);
    for (const language of choices.customLanguages ?? []) languages.set(language.name, language);
  }
  if (languages.size > 0) settings.customLanguages = [...languages.values()];
  if (neverSend.size > 0) settings.neverSend = [...neverSend];
  return { settings: settings as Settings, origins };
}

/** INTERPRETER_MODEL, INTERPRETER_AUTO_RUN … one for every setting. */
function fromEnvironment(env: NodeJS.ProcessEnv): Layer {
  const choices: Record<string, unknown> = {};
  for (const option of options as readonly Option[]) {
    const text = env[variableOf(option)];
    if (text && !option.once) choices[option.name] = valueFromText(option, text, variableOf(option));
  }
  const named = (name: string) => variableOf({ flag: flagOf(name) });
  return { choices: choices as Choices, origin: (name) => ({ from: "environment", name: named(name) }) };
}

const variableOf = ({ flag }: Pick<Option, "flag">): string => `INTERPRETER_${flag.toUpperCase()}`;

const flagOf = (name: string): string => options.find((option) => option.name === name)?.flag ?? name;
