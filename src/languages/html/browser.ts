// A headless browser that we talk to over two pipes, in the protocol of its own developer tools. It has a profile of its
// own, which is thrown away, and no network: everything but files goes to a proxy that does not exist.

import { join } from "node:path";
import type { Machine, Process } from "../../machine/index.ts";
import type { PrivateFolder } from "../custom/private-folder.ts";
import { SessionStartError } from "../language.ts";

export interface BrowserRequest {
  program: string;
  machine: Machine;
  /** Where its profile and its caches go. */
  folder: PrivateFolder;
  env: NodeJS.ProcessEnv;
}

export type BrowserEvent = { method: string; params: Record<string, unknown>; sessionId?: string };

const startWithin = 30_000;

export async function startBrowser({ program, machine, folder: own, env }: BrowserRequest): Promise<Browser> {
  const folder = own.path;
  // Some look for these whatever the profile's folder is.
  const home = join(folder, "home");
  own.held.make("home");
  const child = await machine
    .spawn({
      command: program,
      args: [
        "--headless=new",
        "--remote-debugging-pipe",
        `--user-data-dir=${join(folder, "profile")}`,
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--proxy-server=http://127.0.0.1:1",
        "--proxy-bypass-list=<-loopback>",
        ...quiet,
        "about:blank",
      ],
      cwd: folder,
      env: { ...env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, DBUS_SESSION_BUS_ADDRESS: "disabled:" },
      channels: 2,
    })
    .catch((error: Error) => {
      throw new SessionStartError(`The browser could not be started (${program}): ${error.message}.`);
    });
  const browser = new Browser(child);
  const answered = await Promise.race([
    browser.call("Browser.getVersion").then(
      () => true,
      () => false,
    ),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), startWithin).unref()),
  ]);
  if (answered) return browser;
  await browser.close();
  throw new SessionStartError(`The browser could not be started (${program}). ${browser.complaints}`.trim());
}

const quiet = [
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-background-networking",
  "--disable-breakpad",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-dev-shm-usage",
  "--disable-domain-reliability",
  "--disable-extensions",
  "--disable-gpu",
  "--disable-sync",
  "--hide-scrollbars",
  "--metrics-recording-only",
  "--mute-audio",
  "--password-store=basic",
  "--use-mock-keychain",
];

export class Browser {
  readonly #child: Process;
  readonly #waiting = new Map<
    number,
    { resolve: (value: Record<string, unknown>) => void; reject: (error: Error) => void }
  >();
  #asked = 0;
  #alive = true;
  /** The last of what it said on stderr. */
  complaints = "";
  /** Told of everything that happens in it. */
  onEvent: (event: BrowserEvent) => void = () => {};

  constructor(child: Process) {
    this.#child = child;
    child.stdout.resume();
    child.stderr.on("data", (chunk: Buffer) => {
      this.complaints = (this.complaints + chunk.toString("utf8")).slice(-1_000);
    });
    let pieces: Buffer[] = [];
    child.channels[1]!.on("data", (chunk: Buffer) => {
      let rest = chunk;
      for (let end = rest.indexOf(0); end !== -1; end = rest.indexOf(0)) {
        this.#hear(Buffer.concat([...pieces, rest.subarray(0, end)]).toString("utf8"));
        pieces = [];
        rest = rest.subarray(end + 1);
      }
      if (rest.length > 0) pieces.push(rest);
    });
    void child.exited.then(() => {
      this.#alive = false;
      // Helpers of its own may be left.
      child.signal("SIGKILL");
      for (const { reject } of this.#waiting.values()) reject(new Error("the browser has ended"));
      this.#waiting.clear();
    });
  }

  get alive(): boolean {
    return this.#alive;
  }

  get pid(): number {
    return this.#child.pid;
  }

  call(method: string, params: Record<string, unknown> = {}, sessionId?: string): Promise<Record<string, unknown>> {
    if (!this.#alive) return Promise.reject(new Error("the browser has ended"));
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.channels[0]!.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
    });
  }

  async close(): Promise<void> {
    this.#child.signal("SIGKILL");
    await this.#child.exited;
    for (const stream of [this.#child.stdout, this.#child.stderr, ...this.#child.channels]) stream.destroy();
  }

  #hear(text: string): void {
    const message = JSON.parse(text) as {
      id?: number;
      result?: Record<string, unknown>;
      error?: { message: string };
    } & BrowserEvent;
    if (message.id === undefined) {
      this.onEvent(message);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) waiting?.reject(new Error(message.error.message));
    else waiting?.resolve(message.result ?? {});
  }
}
