// Where a turn is shown: drawn for a person, or as lines of JSON for a program.

import type { Chunk } from "../messages/index.ts";
import type { Totals } from "../models/index.ts";
import type { Settings } from "../settings/index.ts";
import { awaitPhoto, pictureWay, ShownFiles } from "./pictures/index.ts";
import { hasUnicode, inPlainSigns } from "./plain-signs.ts";
import { createProgressLine } from "./progress-line.ts";
import { createRenderer, type Renderer } from "./render.ts";
import { createRunningLine } from "./running-line.ts";
import type { Speaker } from "./speak.ts";
import { chooseTheme, createStyle, type Style, wantsColour } from "./style.ts";
import { usageLine } from "./usage.ts";
import { createWriter } from "./writer.ts";

export interface View extends Renderer {
  readonly style: Style;
  /** Whether a person looks at a screen that can be painted on. */
  readonly live: boolean;
  /** Words of the program itself; not for programs that read us. */
  print(text: string): void;
  /** Settles when there is room for more. */
  room(): Promise<void>;
  /** Keeps what is drawn for later, so that it does not tear a question that is open, until the returned function is called. */
  hold(): () => void;
  /** Shows that something is going on while nothing else is shown, or no more. */
  busy(on: boolean): void;
}

/** So many chunks are kept while a question is open; then whoever has more of them waits. */
const mostHeld = 5_000;

export interface ViewOptions {
  /** Where it is drawn; chunks for programs always go to standard output. */
  screen?: NodeJS.WriteStream;
  /** Whether the person is in the middle of answering something. */
  typing?: () => boolean;
  /** What the person has typed for later. */
  typedAhead?: () => string;
  /** Where pictures and pages are saved so that they can be opened. */
  files?: ShownFiles;
  /** How the person sees output that was too long to show. */
  more?: string;
}

export function createView(
  settings: Settings,
  { screen = process.stdout, typing = () => false, typedAhead, files = new ShownFiles(), more }: ViewOptions = {},
): View {
  const plainSigns = screen.isTTY && !settings.json && !hasUnicode(process.env);
  const output = createWriter(settings.json ? process.stdout : screen, plainSigns ? inPlainSigns : undefined);
  chooseTheme(settings.theme, process.env);
  const style = createStyle(wantsColour(screen, settings.plain ?? false, process.env));
  if (settings.json) {
    const draw = (chunk: Chunk) => output.write(`${JSON.stringify(chunk)}\n`);
    return { style, live: false, draw, settle() {}, print() {}, room: output.room, hold: () => () => {}, busy() {} };
  }
  const live = screen.isTTY === true && !settings.plain && process.env.TERM !== "dumb";
  const writer = createProgressLine(output, style, {
    free: () => screen.isTTY && !typing(),
    columns: () => screen.columns ?? 80,
    ...(typedAhead && { typedAhead }),
  });
  const renderer = createRenderer({
    writer,
    style,
    plain: settings.plain ?? false,
    columns: () => (screen.isTTY ? screen.columns : undefined),
    rows: () => screen.rows ?? 24,
    live,
    more,
    pictures: { way: pictureWay(process.env, settings.images), env: process.env },
    files,
  });
  let loading: Promise<void> | undefined;
  const running = createRunningLine();
  let speaker: Speaker | undefined;
  if (settings.speakMessages)
    void import("./speak.ts").then(({ createSpeaker }) => {
      speaker = createSpeaker(process.env, () => writer.write("There is no program `say` here: nothing is spoken.\n"));
    });
  let used = "";
  let held: { chunks: Chunk[]; over: PromiseWithResolvers<void> } | undefined;
  const draw = (chunk: Chunk): void => void (held ? held.chunks.push(chunk) : drawNow(chunk));
  function hold(): () => void {
    if (held) return () => {};
    const mine = { chunks: [] as Chunk[], over: Promise.withResolvers<void>() };
    held = mine;
    return () => {
      held = undefined;
      for (const chunk of mine.chunks) drawNow(chunk);
      mine.over.resolve();
    };
  }
  function drawNow(chunk: Chunk): void {
    running.see(chunk);
    speaker?.see(chunk);
    if (live && chunk.start && chunk.format === "base64.jpeg") loading = awaitPhoto();
    if (chunk.type === "usage") used = usageLine((chunk.content as { total: Totals }).total);
    else renderer.draw(chunk);
    // The line of the block that runs now, or what was used so far, stands beside the seconds.
    writer.note = (settings.noHighlightActiveLine ? "" : running.text) || used;
  }
  const settle = () => {
    writer.hide();
    renderer.settle();
  };
  async function room(): Promise<void> {
    if (held && held.chunks.length >= mostHeld) await held.over.promise;
    await loading;
    await writer.room();
  }
  return { style, live, ...renderer, draw, settle, print: writer.write, room, hold, busy: writer.count };
}
