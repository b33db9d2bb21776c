// Finds what a call means, checks what was passed, and calls it.

import type { BridgeCall, OnCall, Sessions } from "../languages/index.ts";
import type { Machine } from "../machine/index.ts";
import { ComputerFault, type ComputerFunction, type Module, type Parameter } from "./module.ts";
import { functionsModule, type HostFunctions } from "./modules/functions.ts";
import { allModules } from "./modules/index.ts";

export interface ComputerOptions {
  sessions: Sessions;
  machine: Machine;
  /** Where this process finds what sessions see at a path; the same place where nothing is said. */
  view?: (path: string) => string;
  /** Whether this process sees more than sessions may. */
  apart?: () => Promise<boolean>;
  env: NodeJS.ProcessEnv;
  modules?: readonly Module[];
  /** Functions of the person's own, as a module beside the others. */
  functions?: HostFunctions | undefined;
}

/** What answers the calls of sessions. */
export function createComputer({
  modules: given = allModules,
  functions,
  view = (path) => path,
  apart = async () => false,
  ...rest
}: ComputerOptions): OnCall {
  const modules = functions ? [...given, functionsModule(functions)] : given;
  return (call, signal, note) => {
    const named = findFunction(modules, call);
    const title = titleOf(call);
    const args = bind(title, named, call);
    return named.call(args, {
      ...rest,
      view,
      apart,
      modules,
      cwd: call.cwd,
      language: call.language,
      signal,
      note: (text) => note(`${title}: ${text}`),
    });
  };
}

function titleOf({ module, name }: BridgeCall): string {
  return `computer.${module.slice(0, 100)}${name && `.${name.slice(0, 100)}`}`;
}

function findFunction(modules: readonly Module[], call: BridgeCall): ComputerFunction {
  const module = modules.find(({ name }) => name === call.module);
  if (module && Object.hasOwn(module.functions, call.name)) return module.functions[call.name]!;
  const known = module ? Object.keys(module.functions).filter((name) => name !== "") : modules.map(({ name }) => name);
  throw new ComputerFault(
    "AttributeError",
    `There is no ${titleOf(call)}. There is: ${known.join(", ")}. See computer.help(${module && known.length > 0 ? `"${module.name}"` : ""}).`,
  );
}

/** The arguments by name, each of its kind. */
function bind(title: string, { parameters }: ComputerFunction, call: BridgeCall): Record<string, unknown> {
  const names = Object.keys(parameters);
  const [args, kwargs] = namedApart(parameters, call);
  if (args.length > names.length)
    throw new ComputerFault(
      "TypeError",
      `${title} takes ${names.join(", ") || "nothing"}; ${args.length} were passed.`,
    );
  const given = new Map<string, unknown>(args.map((value, index) => [names[index]!, value]));
  for (const [name, value] of Object.entries(kwargs)) {
    if (!names.includes(name))
      throw new ComputerFault(
        "TypeError",
        `${title} has no parameter ${name.slice(0, 100)}; it takes ${names.join(", ")}.`,
      );
    if (given.has(name)) throw new ComputerFault("TypeError", `${title} was given ${name} twice.`);
    given.set(name, value);
  }
  return Object.fromEntries(names.map((name) => [name, check(title, name, parameters[name]!, given.get(name))]));
}

/** JavaScript passes named arguments as an object at the end, unless that place is for an object. */
function namedApart(parameters: ComputerFunction["parameters"], { language, args, kwargs }: BridgeCall) {
  const last = args.at(-1);
  const place = Object.values(parameters)[args.length - 1];
  const isNamed =
    language === "javascript" &&
    typeof last === "object" &&
    last !== null &&
    !Array.isArray(last) &&
    place?.kind !== "any" &&
    Object.keys(last).every((key) => Object.hasOwn(parameters, key));
  return isNamed
    ? ([args.slice(0, -1), { ...kwargs, ...(last as Record<string, unknown>) }] as const)
    : ([args, kwargs] as const);
}

const kinds = { text: "text", number: "a number", flag: "true or false" } as const;

function check(title: string, name: string, { kind, fallback }: Parameter, value: unknown): unknown {
  if (value === undefined || value === null) {
    if (fallback) return fallback.value;
    if (kind !== "any" || value === undefined) throw new ComputerFault("TypeError", `${title} needs ${name}.`);
  }
  if (kind === "any") return value;
  const fits = typeof value === { text: "string", number: "number", flag: "boolean" }[kind];
  if (!fits) throw new ComputerFault("TypeError", `${title} wants ${kinds[kind]} for ${name}, not ${kindOf(value)}.`);
  return value;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  const names: Partial<Record<string, string>> = {
    string: "text",
    number: "a number",
    boolean: "true or false",
    object: "an object",
  };
  return names[typeof value] ?? "that";
}
