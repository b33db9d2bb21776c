// The process that owns the sessions' view of the file system: a small shell in a mount namespace, told what to mount.

import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { readMountError } from "./mount-error.ts";

export interface Holder {
  readonly pid: number;
  /** Whether the namespace is one of an ordinary user. */
  readonly asUser: boolean;
  /** How a program is started inside, in place of the program itself. */
  enter(cwd: string): string[];
  /** Runs a command inside. Resolves with what went wrong, in words, or with undefined. */
  run(...command: readonly string[]): Promise<string | undefined>;
  close(): void;
}

/** Programs of util-linux that it takes. */
const programs = ["unshare", "nsenter", "mount", "umount"] as const;

const script = `while IFS= read -r command; do eval "$command" >&2; printf '%s\\n' "$?"; done`;

/**
 * A namespace of the system's own administrator where we are it, otherwise one of a user: in that, we mount what we like
 * and are nobody special. Resolves with a sentence where there can be neither.
 */
export async function startHolder(): Promise<Holder | string> {
  const found = new Map(programs.map((name) => [name, findTool(name)]));
  const missing = programs.filter((name) => !found.get(name));
  if (missing.length > 0) return `The program ${missing.join(" and ")} is not installed.`;
  const tools = Object.fromEntries(found) as Record<(typeof programs)[number], string>;
  const asRoot = process.getuid?.() === 0 ? await tryHolder(tools, false) : undefined;
  if (typeof asRoot === "object") return asRoot;
  return tryHolder(tools, true);
}

function findTool(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/bin", "/usr/sbin", "/sbin"];
  return folders
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

async function tryHolder(tools: Record<(typeof programs)[number], string>, asUser: boolean): Promise<Holder | string> {
  const namespace = asUser ? ["-U", "-r", "-m"] : ["-m"];
  const child = spawn(tools.unshare, [...namespace, "--propagation", "slave", "sh", "-c", script], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    // It says nothing in the person's language, so that it can be read.
    env: { PATH: `${process.env.PATH ?? ""}:/usr/bin:/bin:/usr/sbin:/sbin`, LC_ALL: "C" },
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
        child.stdin.write(`${command.map(quote).join(" ")}\n`);
      }).finally(() => clearInterval(busy));
      return status === 0 ? undefined : readMountError(said) || `it ended with status ${status}`;
    });
    last = answer.catch(() => {});
    return answer;
  };

  const problem = await run("true");
  if (problem !== undefined || child.pid === undefined) {
    child.stdin.end();
    return `Namespaces are not allowed here: ${problem ?? "they could not be made"}.`;
  }
  const own = asUser
    ? ["-U", "--preserve-credentials", "--", tools.unshare, "-U", ...identity()]
    : ["--", tools.unshare];
  return {
    pid: child.pid,
    asUser,
    enter: (cwd) => [tools.nsenter, "-t", String(child.pid), "-m", ...own, `--wd=${cwd}`, "--"],
    run,
    close: () => child.stdin.end(),
  };
}

/** Inside, the person is who they are. */
const identity = (): string[] => [`--map-user=${process.getuid?.()}`, `--map-group=${process.getgid?.()}`];

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
