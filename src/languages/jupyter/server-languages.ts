// The kernels of a Jupyter server as languages: the server is the machine, and what it has is what is offered.

import { type Language, SessionStartError } from "../language.ts";
import { extensionOf } from "./kernel-language.ts";
import { startKernelSession } from "./kernel-session.ts";
import { askServer, MachineError, readServer, type Server } from "./server.ts";
import { startServerKernel } from "./server-kernel.ts";

interface Kernelspecs {
  default?: string;
  kernelspecs?: Record<string, { name: string; spec?: { language?: string; display_name?: string } }>;
}

const readyWithin = 120_000;
const alsoCalled: Record<string, readonly string[]> = {
  bash: ["sh"],
  javascript: ["js"],
  julia: ["jl"],
  python: ["py", "python3", "ipython"],
};

/** Asks the server which kernels it has. Rejects with a `MachineError`. */
export async function serverLanguages(address: string): Promise<Language[]> {
  const server = readServer(address);
  const answer = await askServer<Kernelspecs>(server, "GET", "api/kernelspecs", { within: 30_000 });
  const specs = Object.entries(answer?.kernelspecs ?? {}).map(([name, { spec }]) => ({
    name,
    title: spec?.display_name || name,
    language: (spec?.language || name).toLowerCase(),
  }));
  if (specs.length === 0) {
    throw new MachineError(
      `The Jupyter server at ${server.base.host} has no kernels.`,
      "Install one there, for example ipykernel.",
    );
  }
  // The server's own choice first, so that it is the one its language is called by.
  specs.sort((a, b) => Number(b.name === answer.default) - Number(a.name === answer.default));
  const languages = new Map<string, Language>();
  for (const { name, title, language } of specs) {
    const called = languages.has(language) ? name.toLowerCase() : language;
    const aliases = [name.toLowerCase(), `jupyter:${name.toLowerCase()}`, ...(alsoCalled[called] ?? [])];
    if (!languages.has(called))
      languages.set(called, serverLanguage(server, name, { called, aliases, title, language }));
  }
  return [...languages.values()];
}

function serverLanguage(
  server: Server,
  kernel: string,
  { called, aliases, title, language }: { called: string; aliases: string[]; title: string; language: string },
): Language {
  return {
    name: called,
    aliases: [...new Set(aliases)].filter((alias) => alias !== called),
    extension: extensionOf(language),
    available: async () => true,
    async start({ env }) {
      try {
        return await startKernelSession({
          language: called,
          title: `${title} on ${server.base.host}`,
          readyWithin,
          open: (listener) => startServerKernel(server, kernel, env, listener),
        });
      } catch (error) {
        throw error instanceof MachineError ? new SessionStartError(`${error.message} ${error.hint}`) : error;
      }
    },
  };
}
