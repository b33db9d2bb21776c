// A language described by data: a program, how it is given a block, and how the end of the block is known.
// PowerShell and AppleScript are described this way here, and people describe their own in settings.yaml.

import { isAbsolute, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { CustomLanguage } from "../../settings/index.ts";
import { findProgram } from "../find-program.ts";
import { type Language, type SessionOptions, SessionStartError } from "../language.ts";
import { startDriver } from "../start-driver.ts";
import { FileSession } from "./file-session.ts";
import { startRepl } from "./repl-session.ts";

export function customLanguage(described: CustomLanguage): Language {
  const { name, title = name, offered, note } = described;
  const facts = {
    name,
    aliases: described.aliases ?? [],
    extension: described.extension ?? name,
    ...(offered !== undefined && { offered }),
    ...(note && { note }),
  };
  if (described.module) return fromModule(described.module, facts);
  const [program = "", ...args] = described.command ?? [];

  function find({ cwd, env }: SessionOptions): string | undefined {
    const path = /[\\/]/.test(program) && !isAbsolute(program) ? resolve(cwd, program) : program;
    return findProgram([path], env);
  }

  function missing(): string {
    return `${title} cannot run: there is no program ${program}.${described.install ? ` ${described.install}` : ""}`;
  }

  return {
    ...facts,
    async available(options) {
      return find(options) ? true : missing();
    },
    async start(options) {
      const command = find(options);
      if (!command) throw new SessionStartError(missing());
      const env = { ...options.env, ...described.env };
      const request = { language: name, title, machine: options.machine, command, args, cwd: options.cwd, env };
      if (described.run === "driver") return startDriver(request);
      if (described.run === "repl") return startRepl(request, described);
      return new FileSession(request, described.extension ?? name);
    },
  };
}

/** A language written as code: loaded when it is first asked for. */
function fromModule(path: string, facts: Omit<Language, "available" | "start">): Language {
  const load = async ({ cwd }: SessionOptions): Promise<Language> => {
    const file = resolve(cwd, path);
    try {
      const { default: language } = (await import(pathToFileURL(file).href)) as { default: Language };
      if (typeof language?.start === "function") return language;
    } catch (error) {
      throw new SessionStartError(`${facts.name} could not be loaded from ${file}: ${(error as Error).message}`);
    }
    throw new SessionStartError(
      `${file} does not export a language by default: an object with start() and available().`,
    );
  };
  return {
    ...facts,
    async available(options) {
      try {
        return await (await load(options)).available(options);
      } catch (error) {
        return (error as Error).message;
      }
    },
    async start(options) {
      return (await load(options)).start(options);
    },
  };
}
