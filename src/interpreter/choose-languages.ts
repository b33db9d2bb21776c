// Which languages a conversation has: our own, the Jupyter kernels installed here, or what a Jupyter server offers.

import { allLanguages, findKernelLanguage, jupyterServerLanguages, type Language } from "../languages/index.ts";
import { isOnThisMachine, type Machine } from "../machine/index.ts";
import { type CustomLanguage, InputProblem } from "../settings/index.ts";

export interface LanguageChoice {
  /** Every language there is, instead of our own. */
  languages?: readonly Language[];
  /** Languages beside our own, described by data or as code. */
  customLanguages?: readonly (CustomLanguage | Language)[];
  /** Names of kernels the model may use, with commas between them. */
  kernels?: string;
  machine?: string | Machine;
  python?: string;
  offline?: boolean;
}

export interface ChosenLanguages {
  /** What is known without asking anybody. */
  languages: readonly Language[];
  /** For a name that none of them has. */
  more: (name: string) => Language | undefined;
  /** Asks the server that is the machine. Rejects with a plain-words error. */
  ofServer?: () => Promise<readonly Language[]>;
}

export function chooseLanguages(choice: LanguageChoice, cwd: string, env: NodeJS.ProcessEnv): ChosenLanguages {
  const { machine, python } = choice;
  if (typeof machine === "string" && !choice.languages) {
    if (choice.offline && !isOnThisMachine(machine)) throw elsewhere(machine);
    return { languages: [], more: () => undefined, ofServer: () => jupyterServerLanguages(machine) };
  }
  const own = choice.languages ?? allLanguages(env, choice.customLanguages);
  const taken = (name: string) =>
    own.some(
      (language) => (language.name === name || language.aliases.includes(name)) && language.missing?.(env) !== true,
    );
  const more = (name: string) => findKernelLanguage(name, { cwd, env, ...(python && { python }) }, taken);
  const names = (choice.kernels ?? "").split(",").flatMap((name) => name.trim() || []);
  const kernels = names.map((name) => {
    const kernel = more(`jupyter:${name.replace(/^jupyter:/, "")}`);
    if (kernel) return { ...kernel, offered: true };
    throw new InputProblem(
      `There is no Jupyter kernel called ${JSON.stringify(name)} here.`,
      "`jupyter kernelspec list` prints those that are installed.",
    );
  });
  return { languages: [...own, ...kernels], more };
}

const elsewhere = (machine: string): InputProblem =>
  new InputProblem(
    `--offline is on, and the machine at ${URL.parse(machine)?.host ?? "that address"} is another one.`,
    "Leave out --machine, and code runs here.",
  );

/** What the model must know when code does not run where the person is. The address's token is not among it. */
export function aboutMachine(machine: string | Machine | undefined): string[] {
  if (typeof machine !== "string") return [];
  return [
    `Code runs on a Jupyter server at ${new URL(machine).host}, on another computer than the one described above:`,
    "its files, packages and working folder are its own, and there is no `computer` object.",
  ];
}
