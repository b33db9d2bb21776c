// React: a block of JSX or TSX becomes a page with React in it, and is shown as any other page.

import { type Session, type SessionEvent, SessionStartError } from "../language.ts";
import { PageSession } from "./page-session.ts";
import libraries from "./react-libraries.jsx";

export class ReactSession implements Session {
  readonly language = "react";
  readonly #pages: PageSession;
  readonly #own: boolean;

  /** `own` says whether the pages end with this session. */
  constructor(pages: Session, own: boolean) {
    if (!(pages instanceof PageSession) || libraries === "")
      throw new SessionStartError("React pages cannot be shown: React is not part of this build.");
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
      page = await reactPage(code);
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

/** The page for a block: the default export is shown, or `App`, or the last component. */
export async function reactPage(code: string): Promise<string> {
  const { transform } = await import("sucrase");
  const options = { transforms: ["jsx", "typescript", "imports"], jsxRuntime: "classic", production: true } as const;
  const script = transform(code, { ...options, transforms: [...options.transforms] }).code;
  const components = [...code.matchAll(/^(?:export\s+)?(?:function|class|const|let|var)\s+([A-Z]\w*)/gm)].map(
    (match) => match[1]!,
  );
  const shown = components.includes("App") ? "App" : components.at(-1);
  const fallback = shown ? `typeof ${shown} === "undefined" ? undefined : ${shown}` : "undefined";
  return `<!doctype html>
<html>
<head><meta charset="utf-8"><title>React</title></head>
<body>
<div id="root"></div>
<script>${asScript(libraries)}</script>
<script>
(function (require) {
  const exports = {};
${asScript(script)}
  __page.show(exports.default ?? (${fallback}));
})(__page.require);
</script>
</body>
</html>
`;
}

/** Text that cannot end the element it stands in. */
function asScript(text: string): string {
  return text.replace(/<(\/script|!--)/gi, "\\x3C$1");
}
