// A language whose interpreter runs a driver of ours: most of them differ only in names, programs and the driver's file.

import { fileURLToPath } from "node:url";
import { PrivateFolder } from "../custom/private-folder.ts";
import type { DriverSession } from "../driver-session.ts";
import { findProgram } from "../find-program.ts";
import { howToInstall, type Packages } from "../how-to-install.ts";
import { type Language, type Session, SessionStartError } from "../language.ts";
import { startDriver } from "../start-driver.ts";
import { underLifeline } from "./lifeline.ts";
import { plainCommand } from "./plain-command.ts";

export interface DrivenLanguage {
  name: string;
  aliases?: readonly string[];
  extension: string;
  offered?: boolean;
  note?: string;
  /** For people: "Ruby". The driver adds the version. */
  title: string;
  /** Names its program may have, the best first. */
  programs: readonly string[];
  /** Programs that must be there beside it; the first of each list that is found counts. */
  needs?: readonly (readonly string[])[];
  packages: Packages;
  /** File of the driver, as `import.meta.url` of the language and a name beside it. */
  driver: URL;
  args(driver: string, program: string): string[];
  env?: NodeJS.ProcessEnv;
  /** The driver needs a POSIX shell beside it, so there is none for Windows yet. */
  posixOnly?: boolean;
  /** It leaves files behind when it is killed: it gets a folder for them that goes when it does. */
  leavesFiles?: boolean;
  /** What is done to a block before it is run. */
  rewrite?(code: string): string;
}

export function drivenLanguage(described: DrivenLanguage): Language {
  const { name, title, extension, offered, note } = described;
  const windows = process.platform === "win32";

  function find(env: NodeJS.ProcessEnv): string | undefined {
    if (windows && described.posixOnly) return undefined;
    if (described.needs?.some((programs) => !findProgram(programs, env))) return undefined;
    return findProgram(described.programs, env);
  }

  function missing(): string {
    if (windows && described.posixOnly) return `${title} sessions do not run on Windows yet.`;
    return howToInstall(title, described.packages);
  }

  return {
    name,
    aliases: described.aliases ?? [],
    extension,
    ...(offered !== undefined && { offered }),
    ...(note && { note }),
    missing: (env) => find(env) === undefined,
    async available({ env }) {
      return find(env) ? true : missing();
    },
    async start({ machine, cwd, env }) {
      const program = find(env);
      if (!program) throw new SessionStartError(missing());
      const folder = described.leavesFiles ? new PrivateFolder() : undefined;
      const starting = startDriver({
        language: name,
        title,
        machine,
        ...underLifeline(program, described.args(fileURLToPath(described.driver), program)),
        cwd,
        env: { ...env, ...described.env, ...(folder && { TMPDIR: folder.path, OI_TMPDIR: env.TMPDIR ?? "" }) },
        encode: plainCommand,
      });
      starting
        .then(({ exited }) => exited)
        .then(
          () => folder?.remove(),
          () => folder?.remove(),
        );
      const session = await starting;
      return withoutInspection(session, described.rewrite);
    },
  };
}

/** These drivers do one thing at a time: they run blocks. */
function withoutInspection(session: DriverSession, rewrite = (code: string) => code): Session {
  return {
    language: session.language,
    pid: session.pid,
    get description() {
      return session.description;
    },
    get alive() {
      return session.alive;
    },
    run: (code, name) => session.run(rewrite(code), name),
    interrupt: () => session.interrupt(),
    close: () => session.close(),
  };
}
