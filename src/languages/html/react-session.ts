// React: a block of JSX or TSX becomes a page with React in it, and is shown as any other page.

import { type Session, type SessionEvent, SessionStartError } from "../language.ts";
import { PageSession } from "./page-session.ts";
import { reactPage } from "./react-page.ts";

export class ReactSession implements Session {
  readonly language = "react";
  readonly #pages: PageSession;
  readonly #own: boolean;

  /** `own` says whether the pages end with this session. */
  constructor(pages: Session, own: boolean) {
    if (!(pages instanceof PageSession))
      throw new SessionStartError("React pages are shown as HTML, and that is another language here.");
    this.#pages = pages;
    this.#own = own;
  }

  get description(): string {
    return this.#pages.description.replace("HTML", "React");
  }

  get alive(): boolean {
    return this.#pages.alive;
  }

  async *run(code: string, name: string): AsyncIterable<SessionEvent> {
    let page: string;
    try {
      page = reactPage(code);
    } catch (error) {
      const message = (error as Error).message.replace(/^Error transforming .*?: /, "");
      yield { type: "error", name: "SyntaxError", message, traceback: `${name}: ${message}\n` };
      yield { type: "end", status: "error" };
      return;
    }
    yield* this.#pages.show(page, page, name);
  }

  interrupt(): void {
    this.#pages.interrupt();
  }

  async close(): Promise<void> {
    if (this.#own) await this.#pages.close();
  }
}
