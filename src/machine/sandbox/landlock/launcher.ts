// The program that puts Landlock and seccomp on before it becomes another one: what it is told, and whether it works here.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { accessSync, constants, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTool } from "../../find-tool.ts";
import { isWithin } from "../../layer/mounts.ts";
import { filterFor, type Processor, processors } from "./filter.ts";
import { handledBy, reading, scopedBy } from "./rights.ts";
import type { Rule } from "./rules.ts";

export interface Launcher {
  /** The version of Landlock that the kernel has. */
  readonly version: number;
  /** What is started in the place of a program, in front of its own words. */
  words(rules: readonly Rule[], network: boolean): [command: string, ...args: string[]];
  /** Variables as the launcher must get them: what would lead it is put aside, and back for the program. */
  env(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
}

/** `writable`: where code may write; nothing from there is started. Resolves with a sentence where there can be none. */
export async function findLauncher(writable: readonly string[]): Promise<Launcher | string> {
  const perl = findPerl(writable);
  if (!perl) return "Landlock needs the program perl, which is not installed.";
  if (!processors.includes(process.arch)) return `Landlock is not used on this processor (${process.arch}).`;
  const said = await outputOf([...runBy(perl), "abi"]);
  const version = Number(said.out);
  if (!(version >= 1)) return `The kernel has no Landlock (${said.out || said.problems.trim() || "no answer"}).`;
  const launcher = launcherFor(perl, version);
  return (await whyNot(launcher, perl)) ?? launcher;
}

/** A newer kernel can do all that an older one can. */
export function launcherFor(perl: string, version: number): Launcher {
  const run = runBy(perl);
  const processor = process.arch as Processor;
  const handled = handledBy(version);
  const known = { knowsCutting: version >= 3, knowsSignals: version >= 6 };
  return {
    version,
    words: (rules, network) => {
      const filter = filterFor({ processor, network, ...known }).toString("hex");
      const places = rules.flatMap(({ path, rights }) => [String(rights & handled), path]);
      return [...run, processor, String(handled), String(scopedBy(version)), filter, ...places, "--"];
    },
    env: (given) =>
      Object.fromEntries(
        Object.entries(given).map(([name, value]) => [/^(PERL|LD_)/.test(name) ? `_OI_WAS_${name}` : name, value]),
      ),
  };
}

/** Read before code runs, and never again: it may be able to write where we are installed. */
function runBy(perl: string): [command: string, ...args: string[]] {
  const script = ["landlock-launch.pl", "landlock-beside.pl"]
    .map((name) => readFileSync(new URL(`./${name}`, import.meta.url), "utf8"))
    .join("\n");
  return [perl, "-f", "-e", script, "--"];
}

function findPerl(writable: readonly string[]): string | undefined {
  const ofSystem = ["/usr/bin/perl", "/bin/perl"].find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  const found = ofSystem ?? findTool("perl");
  return found && !writable.some((place) => isWithin(realpathSync(found), place)) ? found : undefined;
}

/** Tried with a program that may only read: some systems know Landlock and do not allow it. */
async function whyNot(launcher: Launcher, perl: string): Promise<string | undefined> {
  const file = join(tmpdir(), `interpreter-${randomBytes(8).toString("hex")}`);
  const write = 'exit(open(my $file, ">", $ARGV[0]) ? 43 : $! == 13 ? 42 : 44)';
  const words = launcher.words([{ path: "/", rights: reading }], true);
  const { code, problems } = await outputOf([...words, perl, "-f", "-e", write, file]);
  rmSync(file, { force: true });
  if (code === 42) return undefined;
  const why = code === 43 ? "what was put up does not hold" : problems.trim().split("\n").at(-1);
  return `Landlock cannot be used: ${(why || `a program ended with status ${code}`).replace(/\.$/, "")}.`;
}

interface Said {
  out: string;
  problems: string;
  code: number | null;
}

function outputOf([command, ...args]: readonly string[]): Promise<Said> {
  const said: Said = { out: "", problems: "", code: null };
  return new Promise((resolve) => {
    const child = spawn(command!, args, { cwd: "/", stdio: ["ignore", "pipe", "pipe"], detached: true, env: {} });
    child.stdout.on("data", (text: Buffer) => (said.out += text));
    child.stderr.on("data", (text: Buffer) => (said.problems += text));
    child.once("error", ({ message }) => resolve({ ...said, problems: message }));
    child.once("close", (code) => resolve({ ...said, code }));
  });
}
