// `%view`: a table of the live session on the whole screen. Only the page that is seen is asked of the session.

import type { Session } from "../../languages/index.ts";
import { type Key, readKeys } from "../keys.ts";
import type { Style } from "../style.ts";
import { openCanvas } from "./canvas.ts";
import { Viewer } from "./viewer.ts";

export { chooseSessions } from "./choose-sessions.ts";

export interface ViewRequest {
  session: Session;
  /** A name, or an expression of the session's language. */
  code: string;
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  style: Style;
  /** Frees the keyboard for us; what it returns gives it back. */
  suspend: () => () => void;
  signal: AbortSignal;
}

/** Settles when the person is done; with a sentence when there was nothing to look at. */
export async function viewTable(request: ViewRequest): Promise<string | undefined> {
  const { session, code, input, output, style, signal } = request;
  const look = session.viewTable?.bind(session);
  if (!look) return `A ${session.language} session has no tables that can be looked at.`;
  const opened = await look({ do: "open", code }, signal);
  if ("problem" in opened) return opened.problem;
  if (!("kind" in opened)) return "The session did not say what it is.";
  const resume = request.suspend();
  const left = new AbortController();
  let viewer: Viewer | undefined;
  const canvas = openCanvas(
    output,
    () => viewer?.resized(),
    () => release(),
  );
  const done = new Promise<void>((resolve) => {
    viewer = new Viewer({ ...opened, code, look, canvas, style, left: left.signal, leave: resolve });
  });
  const release = readKeys(input, (key: Key) => viewer!.press(key));
  try {
    await done;
  } finally {
    left.abort();
    release();
    canvas.leave();
    resume();
    void look({ do: "close" });
  }
  return undefined;
}
