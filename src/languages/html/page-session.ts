// Shows pages: each block is written to a file, opened in the browser, and shown as a picture. What the page prints to its
// console, and what goes wrong in it, is output.

import { pathToFileURL } from "node:url";
import { PrivateFolder } from "../custom/private-folder.ts";
import { type Session, type SessionEvent, type SessionOptions, SessionStartError } from "../language.ts";
import { type Browser, startBrowser } from "./browser.ts";
import { type Page, type Printed, showPage } from "./show-page.ts";

const loadWithin = 20_000;

export class PageSession implements Session {
  readonly language = "html";
  readonly #options: SessionOptions;
  readonly #program: string | undefined;
  readonly #missing: string;
  readonly #folder = new PrivateFolder();
  #browser: Promise<Browser> | undefined;
  #live: Browser | undefined;
  #running: AbortController | undefined;
  #closed = false;

  constructor(options: SessionOptions, program: string | undefined, missing: string) {
    this.#options = options;
    this.#program = program;
    this.#missing = missing;
  }

  get description(): string {
    return this.#program ? "HTML in Chromium" : "HTML, without a browser";
  }

  get alive(): boolean {
    return !this.#closed;
  }

  run(code: string, name: string): AsyncIterable<SessionEvent> {
    return this.show(withBase(code, this.#options.cwd), code, name);
  }

  /** Shows a page; `source` is what the person wrote. */
  async *show(page: string, source: string, name: string): AsyncIterable<SessionEvent> {
    const file = this.#folder.write(name, "html", page);
    if (!this.#program) {
      yield { type: "display", bundle: { "text/html": page, "text/plain": "" } };
      yield { type: "output", stream: "stderr", text: `No picture was made. ${this.#missing} The page is ${file}\n` };
      yield { type: "end", status: "ok" };
      return;
    }
    const running = new AbortController();
    this.#running = running;
    const stopped = AbortSignal.any([running.signal, AbortSignal.timeout(loadWithin)]);
    try {
      const shown = await this.#picture(file, stopped);
      for (const { stream, text } of shown.printed) yield { type: "output", stream, text };
      yield {
        type: "display",
        bundle: { "image/png": shown.png, "text/html": source, "text/plain": `[page, ${shown.width}×${shown.height}]` },
      };
      yield { type: "output", stream: "stdout", text: `The page is ${file}\n` };
      if (shown.error) yield { type: "error", ...shown.error };
      yield { type: "end", status: shown.error ? "error" : "ok" };
    } catch (error) {
      yield* this.#failed(error as Error & { printed?: Printed[] }, running.signal.aborted);
    } finally {
      this.#running = undefined;
    }
  }

  interrupt(): void {
    this.#running?.abort();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#running?.abort();
    await this.#end();
    this.#folder.remove();
  }

  async #picture(file: string, stopped: AbortSignal): Promise<Page> {
    const { machine, env } = this.#options;
    if (!this.#live?.alive) this.#browser = undefined;
    this.#browser ??= startBrowser({ program: this.#program!, machine, folder: this.#folder, env });
    this.#live = await this.#browser;
    if (this.#closed) throw new Error("it was closed");
    return showPage(this.#live, pathToFileURL(file).href, stopped);
  }

  /** A page that never comes to rest can only be stopped together with its browser; the next block gets a new one. */
  async *#failed(error: Error & { printed?: Printed[] }, interrupted: boolean): AsyncIterable<SessionEvent> {
    await this.#end();
    for (const { stream, text } of error.printed ?? []) yield { type: "output", stream, text };
    if (this.#closed) yield { type: "end", status: "exited", explanation: "it was closed" };
    else if (interrupted) yield { type: "end", status: "interrupted" };
    else {
      const late = error.name === "TimeoutError" || error.name === "AbortError";
      const message = late ? `The page was not ready after ${loadWithin / 1000} seconds.` : error.message;
      const name = error instanceof SessionStartError ? error.name : "PageError";
      yield { type: "error", name, message, traceback: `${message}\n` };
      yield { type: "end", status: "error" };
    }
  }

  async #end(): Promise<void> {
    const browser = await this.#browser?.catch(() => undefined);
    this.#browser = undefined;
    this.#live = undefined;
    await browser?.close();
  }
}

/** Pictures and files that a page names without a folder are those of the working folder. */
export function withBase(page: string, cwd: string): string {
  if (/<base\b/i.test(page)) return page;
  const base = `<base href="${pathToFileURL(`${cwd}/`).href}">`;
  const whole = /<!doctype[^>]*>|<html\b|<head\b|<body\b/i.test(page);
  const head = `<meta charset="utf-8">${base}`;
  if (!whole) return `<!doctype html>${head}\n${page}`;
  const place = /<head\b[^>]*>/i.exec(page) ?? /<html\b[^>]*>/i.exec(page) ?? /<!doctype[^>]*>/i.exec(page);
  if (!place) return `<!doctype html>${head}\n${page}`;
  const at = place.index + place[0].length;
  return page.slice(0, at) + head + page.slice(at);
}
