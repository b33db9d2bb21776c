// Where a turn is shown: drawn for a person, or as lines of JSON for a program.

import type { Chunk } from "../messages/index.ts";
import type { Settings } from "../settings/index.ts";
import { pictureNames } from "./picture-names.ts";
import { createProgressLine } from "./progress-line.ts";
import { createRenderer, type Renderer } from "./render.ts";
import { createStyle, type Style, wantsColour } from "./style.ts";
import { createWriter } from "./writer.ts";

export interface View extends Renderer {
  readonly style: Style;
  /** Words of the program itself; not for programs that read us. */
  print(text: string): void;
  /** Settles when there is room for more. */
  room(): Promise<void>;
  /** Shows that something is going on while nothing else is shown, or no more. */
  busy(on: boolean): void;
}

export interface ViewOptions {
  /** Whether the person is in the middle of answering something. */
  typing?: () => boolean;
  /** Where a picture is saved so that it can be opened; a temporary folder unless told. */
  pictureFile?: () => string;
}

export function createView(
  settings: Settings,
  { typing = () => false, pictureFile = pictureNames() }: ViewOptions = {},
): View {
  const stdout = createWriter(process.stdout);
  const style = createStyle(wantsColour(process.stdout, settings.plain ?? false, process.env));
  if (settings.json) {
    const draw = (chunk: Chunk) => stdout.write(`${JSON.stringify(chunk)}\n`);
    return { style, draw, settle() {}, print() {}, room: stdout.room, busy() {} };
  }
  const writer = createProgressLine(stdout, style, () => process.stdout.isTTY && !typing());
  const renderer = createRenderer({
    writer,
    style,
    plain: settings.plain ?? false,
    columns: () => (process.stdout.isTTY ? process.stdout.columns : undefined),
    pictureFile,
  });
  return { style, ...renderer, print: writer.write, room: writer.room, busy: writer.count };
}
