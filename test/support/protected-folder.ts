// A folder that a real protection watches over, with a live Python process inside of it that does what a test tells it.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type ProtectRequest, protect } from "../../src/machine/effects/protect.ts";
import type { Pending, Protection } from "../../src/machine/effects/protection.ts";
import { localMachine, type Process } from "../../src/machine/local.ts";
import { namesIn, raw } from "../../src/machine/undo/names.ts";
import { openUndoStore, type UndoStore } from "../../src/machine/undo/store.ts";

/** What is in a folder, by path: kind, permissions, content. */
export type Tree = Record<string, string>;

/** Why there can be no layer here; empty where there can. */
export function whyNoLayer(): string {
  if (process.platform !== "linux") return "only Linux has mount namespaces";
  const as = process.getuid?.() === 0 ? ["-m"] : ["-Urm"];
  const { status, stderr, error } = spawnSync("unshare", [...as, "true"], { encoding: "utf8" });
  if (error) return `unshare cannot be run (${error.message})`;
  return status === 0 ? "" : `namespaces are refused (${stderr.trim().split("\n")[0]})`;
}

/** One that every user may run. */
export const python = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3";

/** A process inside. */
export interface Hand {
  readonly pid: number;
  /** Runs the code in its own namespace; resolves with what it left in `result`. Rejects with what it raised. */
  run(code: string, cwd?: string): Promise<unknown>;
  end(): Promise<void>;
}

export async function startHand(protection: Protection, cwd: string): Promise<Hand> {
  const script = fileURLToPath(new URL("hand.py", import.meta.url));
  const env = { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: "1", LC_ALL: "C.UTF-8", HOME: process.env.HOME };
  // The folder of our own files may be closed to the user that it runs as.
  const request = { command: python, args: ["-c", readFileSync(script, "utf8")], cwd, env, stdin: true };
  const child: Process = await localMachine.spawn(protection.enter(request));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-4_000);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid,
    async run(code, at) {
      child.stdin!.write(`${JSON.stringify({ code, ...(at !== undefined && { cwd: at }) })}\n`);
      const line = await lines.next();
      if (line.done) throw new Error(`The process has ended: ${said}`);
      const reply = JSON.parse(line.value) as { result?: unknown; error?: string };
      if (reply.error !== undefined) throw new Error(`${reply.error}\n${said}`);
      return reply.result;
    },
    async end() {
      child.signal("SIGKILL");
      await child.exited;
    },
  };
}

export class ProtectedFolder implements AsyncDisposable {
  readonly base: string;
  readonly folder: string;
  readonly data: string;
  protection!: Protection;
  hand!: Hand;
  news: readonly string[] = [];

  private constructor(base: string, folder: string, data: string) {
    [this.base, this.folder, this.data] = [base, folder, data];
  }

  /** `prepare` fills the folder before anything watches over it. */
  static async open(
    options: Partial<ProtectRequest> & { base?: string; name?: string; prepare?: (folder: string) => void } = {},
  ): Promise<ProtectedFolder> {
    const base = options.base ?? mkdtempSync(join(realpathSync(tmpdir()), "protected-"));
    const folder = join(base, options.name ?? "work");
    mkdirSync(folder, { recursive: true });
    options.prepare?.(folder);
    const made = new ProtectedFolder(base, folder, options.data ?? join(base, "data"));
    await made.start(options);
    return made;
  }

  /** Once more, after `stop`. */
  async start(options: Partial<ProtectRequest> = {}): Promise<void> {
    const { protection, news } = await protect({
      folders: [this.folder],
      wanted: "auto",
      plan: false,
      limit: 1e9,
      asks: false,
      ...options,
      data: this.data,
    });
    this.protection = protection;
    this.news = news;
    this.hand = await startHand(protection, this.folder);
  }

  get store(): UndoStore {
    return openUndoStore({ data: this.data, roots: this.protection.roots, limit: 1e9 });
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  /** A block: what it changed waits for a decision. */
  async step(code: string): Promise<Pending> {
    await this.protection.begin();
    await this.hand.run(code);
    return this.protection.pending();
  }

  /** A block that is kept: the number to undo it by. */
  async kept(code: string): Promise<number | undefined> {
    const pending = await this.step(code);
    return (await pending.keep(facts)).number;
  }

  async undo(...numbers: (number | undefined)[]): Promise<void> {
    const result = await this.store.undo(numbers.map(Number));
    if (result.done.length !== numbers.length) throw new Error(`Not undone: ${JSON.stringify(result)}`);
  }

  async redo(...numbers: (number | undefined)[]): Promise<void> {
    const result = await this.store.redo(numbers.map(Number));
    if (result.done.length !== numbers.length) throw new Error(`Not redone: ${JSON.stringify(result)}`);
  }

  /** What the process inside sees. */
  async inside(): Promise<Tree> {
    return ((await this.hand.run(`result = tree(${JSON.stringify(this.folder)})`)) as { found: Tree }).found;
  }

  outside(): Tree {
    return treeOf(this.folder).found;
  }

  async stop(): Promise<void> {
    await this.hand.end();
    await this.protection.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop().catch(() => {});
    spawnSync("chmod", ["-R", "u+rwX", this.base], { stdio: "ignore" });
    spawnSync("rm", ["-rf", this.base]);
  }
}

export const facts = { id: "block", language: "python", code: "…" };

/** The same as `tree` in hand.py, from here. */
export function treeOf(root: string): { found: Tree; same: string[][] } {
  const found: Tree = {};
  const same = new Map<number, string[]>();
  const look = (folder: string, inner: string): void => {
    for (const name of namesIn(folder).sort()) {
      const [path, key] = [join(folder, name), inner + name];
      const facts = lstatSync(raw(path));
      const mode = (facts.mode & 0o7777).toString(8);
      if (facts.isDirectory()) {
        found[key] = `folder ${mode}`;
        try {
          look(path, `${key}/`);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
          found[key] += " closed";
        }
      } else if (facts.isSymbolicLink()) found[key] = `link ${readlinkSync(raw(path))}`;
      else if (facts.isFile()) {
        found[key] = `file ${mode} ${facts.size} ${digestOf(path, facts.size)}`;
        if (facts.nlink > 1) same.set(facts.ino, [...(same.get(facts.ino) ?? []), key]);
      } else found[key] = `other ${mode} ${facts.mode >> 12}`;
    }
  };
  look(root, "");
  return { found, same: [...same.values()].filter((names) => names.length > 1).sort() };
}

function digestOf(path: string, size: number): string {
  if (size > 64 << 20) return "large";
  try {
    return createHash("sha1")
      .update(readFileSync(raw(path)))
      .digest("hex")
      .slice(0, 12);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    return "closed";
  }
}
