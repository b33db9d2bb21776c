// `computer.help()`: what there is, and how each function is called.

import { ComputerFault, type ComputerFunction, computerFunction, type Module, optional, text } from "../module.ts";

export const help: Module = {
  name: "help",
  help: 'says what there is: computer.help(), computer.help("files")',
  functions: {
    "": computerFunction(
      "Lists the modules, or explains the functions of one.",
      { topic: optional(text) },
      ({ topic }, { modules, language }) => {
        if (topic === undefined) return overview(modules, language);
        const wanted = topic.replace(/^computer\.|\(\)$/g, "").split(".")[0]!;
        const module = modules.find(({ name }) => name === wanted);
        if (module) return explain(module);
        const known = modules.map(({ name }) => name).join(", ");
        throw new ComputerFault(
          "LookupError",
          `There is no module ${JSON.stringify(wanted.slice(0, 100))}. There is: ${known}.`,
        );
      },
    ),
    // For the session itself: the names and signatures it shows.
    modules: computerFunction("Describes every module as data.", {}, (_, { modules }) =>
      modules.map(({ name, help, functions }) => ({
        name,
        help,
        functions: Object.entries(functions).map(([each, { help, parameters }]) => ({
          name: each,
          help,
          parameters: Object.entries(parameters).map(([name, { fallback }]) => ({
            name,
            ...(fallback && { default: fallback.value ?? null }),
          })),
        })),
      })),
    ),
  },
};

function overview(modules: readonly Module[], language: string): string {
  const width = Math.max(...modules.map(({ name }) => name.length));
  const lines = modules.map(({ name, help }) => `  computer.${name.padEnd(width)}  ${help}`);
  const how =
    language === "javascript"
      ? "Every function returns a promise; named arguments go into an object at the end."
      : "In async code use computer.aio, with await.";
  return ["computer is what code in this session may ask of the host.", ...lines, how].join("\n");
}

function explain({ name, help, functions }: Module): string {
  const parts = Object.entries(functions).map(([each, about]) => {
    const called = each === "" ? `computer.${name}` : `computer.${name}.${each}`;
    return `${called}(${signature(about)})\n${about.help.replace(/^/gm, "    ")}`;
  });
  return [`computer.${name}: ${help}`, ...parts].join("\n\n");
}

function signature({ parameters }: ComputerFunction): string {
  return Object.entries(parameters)
    .map(([name, { fallback }]) => (fallback ? `${name}=${JSON.stringify(fallback.value ?? null)}` : name))
    .join(", ");
}
