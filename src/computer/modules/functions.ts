// `computer.functions`: functions of the person's own, given by a program or a profile, that code in the sessions can call.

import { ComputerFault, type ComputerFunction, type Context, type Module, type Parameter } from "../module.ts";

/** A parameter that may be left out has a question mark. */
export type Kind = "text" | "number" | "flag" | "any" | "text?" | "number?" | "flag?" | "any?";

/** A plain function is called with the arguments in their order; one with a description with one object. */
export type HostFunction =
  // biome-ignore lint/suspicious/noExplicitAny: what it takes is its own affair
  | ((...args: any[]) => unknown)
  | {
      /** What it does, for the model. */
      help: string;
      /** By name, in order. */
      parameters?: Readonly<Record<string, Kind>>;
      // biome-ignore lint/suspicious/noExplicitAny: what it takes is said by `parameters`
      run(args: any, context: Pick<Context, "cwd" | "language" | "signal" | "note">): unknown;
    };

export type HostFunctions = Readonly<Record<string, HostFunction>>;

/** Throws a plain TypeError for what is no function. */
export function functionsModule(functions: HostFunctions): Module {
  const named = Object.entries(functions).map(([name, given]) => [name, computerFunctionOf(name, given)] as const);
  return {
    name: "functions",
    help: `functions of the user's own: ${Object.keys(functions).join(", ")}`,
    functions: Object.fromEntries(named),
  };
}

/** Lines for the system message. */
export function aboutFunctions(functions: HostFunctions): string[] {
  const lines = Object.entries(functionsModule(functions).functions).map(([name, { help, parameters }]) => {
    const names = Object.entries(parameters).map(([each, { fallback }]) => `${each}${fallback ? "?" : ""}`);
    return `- computer.functions.${name}(${names.join(", ")})${help ? `: ${help}` : ""}`;
  });
  return lines.length > 0 ? ["Functions of the user's own, in Python and JavaScript:", ...lines] : [];
}

function computerFunctionOf(name: string, given: HostFunction): ComputerFunction {
  if (!/^[A-Za-z]\w*$/.test(name))
    throw new TypeError(`A function needs a name of letters and digits, not ${JSON.stringify(name)}.`);
  if (typeof given === "function") {
    const parameters = parametersOf(given);
    return { help: "", parameters, call: (args) => answer(name, () => given(...Object.values(args))) };
  }
  if (typeof given?.run !== "function" || typeof given.help !== "string")
    throw new TypeError(`${name} is not a function, nor an object with help and run().`);
  const parameters = Object.entries(given.parameters ?? {}).map(([each, kind]) => [
    each,
    parameterOf(name, each, kind),
  ]);
  return {
    help: given.help,
    parameters: Object.fromEntries(parameters),
    call: (args, { cwd, language, signal, note }) =>
      answer(name, () => given.run(args, { cwd, language, signal, note })),
  };
}

function parameterOf(name: string, parameter: string, kind: Kind): Parameter {
  const [, plain, open] = /^(text|number|flag|any)(\?)?$/.exec(kind) ?? [];
  if (!plain)
    throw new TypeError(
      `${name}: the parameter ${parameter} is text, number, flag or any, not ${JSON.stringify(kind)}.`,
    );
  return { kind: plain as Parameter["kind"], ...(open && { fallback: { value: undefined } }) };
}

/** The names of a function's parameters as they are written; what is no plain name is counted. */
function parametersOf(given: (...args: never[]) => unknown): Record<string, Parameter> {
  const source = String(given).replace(/\/\*[\s\S]*?\*\//g, "");
  const list = /^(?:async\s+)?([A-Za-z_$][\w$]*)\s*=>/.exec(source)?.[1] ?? betweenParentheses(source);
  const parameters = splitAtCommas(list).map((part, index): [string, Parameter] => {
    const name = /^([A-Za-z_]\w*)\s*(?:=|$)/.exec(part)?.[1];
    const isOpen = part.includes("=") || part.startsWith("...");
    return [name ?? `argument${index + 1}`, { kind: "any", ...(isOpen && { fallback: { value: undefined } }) }];
  });
  return Object.fromEntries(parameters);
}

function betweenParentheses(source: string): string {
  const start = source.indexOf("(") + 1;
  let depth = 1;
  for (let at = start; at < source.length; at++) {
    if (/[([{]/.test(source[at]!)) depth++;
    else if (/[)\]}]/.test(source[at]!)) depth--;
    if (depth === 0) return source.slice(start, at);
  }
  return "";
}

function splitAtCommas(list: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of list) {
    if (/[([{]/.test(character)) depth++;
    else if (/[)\]}]/.test(character)) depth--;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** What it throws is told to the code, by the name of the function; nothing is an answer too. */
async function answer(name: string, call: () => unknown): Promise<unknown> {
  try {
    return (await call()) ?? null;
  } catch (error) {
    if (error instanceof ComputerFault) throw error;
    throw new ComputerFault(
      "ComputerError",
      `${name} failed: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
