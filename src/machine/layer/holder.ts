// The process that owns the sessions' view of the system: a small shell in namespaces of its own, told what to mount.

import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { findTool, systemFolders } from "../find-tool.ts";
import type { Numbers } from "../local.ts";
import { filterWords } from "../sandbox/filtered.ts";
import { raw } from "../undo/names.ts";
import { readMountError } from "./mount-error.ts";
import { childOf, outsideNumber } from "./numbers.ts";

export interface Holder {
  /** The shell's, as this process counts. */
  readonly pid: number;
  /** Whether the namespace is one of an ordinary user. */
  readonly asUser: boolean;
  /** How a program is started inside, in place of the program itself. */
  enter(cwd: string): string[];
  /** Who is who of the processes inside, where they count for themselves. */
  readonly numbers?: Numbers;
  /** The same for a program of ours that only needs to be in its network. */
  enterNetwork(): string[];
  /** Runs a command inside. Resolves with what went wrong, in words, or with undefined. */
  run(...command: readonly string[]): Promise<string | undefined>;
  close(): void;
}

export interface HolderRequest {
  /** Processes inside see and reach no others, and there is no network but what we open. */
  alone?: boolean;
}

/** Programs of util-linux that it takes. */
const programs = ["unshare", "nsenter", "mount", "umount", "setpriv", "setsid"] as const;
type Tools = Record<(typeof programs)[number], string>;

const script = `nl='\n'; while IFS= read -r command; do eval "$command" >&2; printf '%s\\n' "$?"; done`;

/** What an administrator needs inside to work with files; nothing that moves walls. */
const capabilities = "-all,+chown,+dac_override,+fowner,+fsetid,+setuid,+setgid,+kill,+net_bind_service";

/**
 * A namespace of the system's own administrator where we are it, otherwise one of a user: in that, we mount what we like
 * and are nobody special. Resolves with a sentence where there can be neither.
 */
export async function startHolder(request: HolderRequest = {}): Promise<Holder | string> {
  const found = new Map(programs.map((name) => [name, findTool(name)]));
  const missing = programs.filter((name) => !found.get(name));
  if (missing.length > 0) return `The program ${missing.join(" and ")} is not installed.`;
  const tools = Object.fromEntries(found) as Tools;
  const asRoot = process.getuid?.() === 0 ? await tryHolder(tools, false, request) : undefined;
  if (typeof asRoot === "object") return asRoot;
  return tryHolder(tools, true, request);
}

/** One that was begun and is not needed. */
export function endHolder(begun: Promise<Holder | string> | undefined): void {
  void begun?.then((holder) => typeof holder === "object" && holder.close());
}

async function tryHolder(tools: Tools, asUser: boolean, { alone = false }: HolderRequest): Promise<Holder | string> {
  const namespaces = [
    ...(asUser ? ["-U", "-r"] : []),
    "-m",
    ...(alone ? ["-n", "-i", "-p", "--fork", "--kill-child=SIGKILL"] : []),
  ];
  const child = spawn(tools.unshare, [...namespaces, "--propagation", "slave", "sh", "-c", script], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    // It says nothing in the person's language, so that it can be read, and starts nothing that code may have written.
    env: { PATH: [...new Set([...systemFolders, ...Object.values(tools).map(dirname)])].join(":"), LC_ALL: "C" },
  });
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    stream.on("error", () => {});
    (stream as unknown as { unref?: () => void }).unref?.();
  }
  let said = "";
  let answers = "";
  let gone = false;
  const waiting: ((status: number) => void)[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2_000);
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    answers += text;
    for (let end = answers.indexOf("\n"); end !== -1; end = answers.indexOf("\n")) {
      waiting.shift()?.(Number(answers.slice(0, end)));
      answers = answers.slice(end + 1);
    }
  });
  const end = () => {
    gone = true;
    for (const settle of waiting.splice(0)) settle(-1);
  };
  child.once("error", end).once("close", end);

  let last: Promise<unknown> = Promise.resolve();
  const run: Holder["run"] = (...command) => {
    const answer = last.then(async () => {
      if (gone) return readMountError(said) || "it has ended";
      said = "";
      // Node keeps us alive while it waits for an answer, and not otherwise.
      const busy = setInterval(() => {}, 1_000);
      const status = await new Promise<number>((resolve) => {
        waiting.push(resolve);
        child.stdin.write(raw(`${command.map(quote).join(" ")}\n`));
      }).finally(() => clearInterval(busy));
      return status === 0 ? undefined : readMountError(said) || `it ended with status ${status}`;
    });
    last = answer.catch(() => {});
    return answer;
  };

  const problem = await run("true");
  // The shell is started by the program that makes its namespaces.
  const pid = child.pid !== undefined && alone ? childOf(child.pid) : child.pid;
  if (problem !== undefined || pid === undefined) {
    child.stdin.end();
    return `Namespaces are not allowed here: ${problem ?? "they could not be made"}.`;
  }
  const target = ["-t", String(pid), ...(asUser ? ["-U", "--preserve-credentials"] : [])];
  const own = asUser ? ["-U", ...identity()] : [];
  // Where processes are apart, one of ours stays outside and waits for each of them.
  const into = alone ? ["-F", ...target, "-m", "-n", "-i", "-p"] : [...target, "-m"];
  const fork = alone ? ["--fork", "--kill-child=SIGKILL"] : [];
  const filter = alone ? filterWords() : undefined;
  const leads = alone && !filter ? [tools.setsid] : [];
  const weaker =
    alone && !asUser
      ? [tools.setpriv, `--bounding-set=${capabilities}`, "--inh-caps=-all", "--ambient-caps=-all", "--no-new-privs"]
      : [];
  return {
    pid,
    asUser,
    ...(alone && { numbers: { leader: childOf, outside: (inner: number) => outsideNumber(inner, pid) } }),
    enter: (cwd) => [
      tools.nsenter,
      ...into,
      "--",
      tools.unshare,
      ...own,
      ...fork,
      `--wd=${cwd}`,
      "--",
      ...leads,
      ...weaker,
      ...(filter ?? []),
    ],
    enterNetwork: () => [tools.nsenter, ...target, "-n", "--"],
    run,
    close: () => child.stdin.end(),
  };
}

/** Inside, the person is who they are. */
const identity = (): string[] => [`--map-user=${process.getuid?.()}`, `--map-group=${process.getgid?.()}`];

/** In one line, whatever is in it: names of files are what code makes them. */
export const quote = (word: string): string => `'${word.replaceAll("'", "'\\''").replaceAll("\n", `'"$nl"'`)}'`;
