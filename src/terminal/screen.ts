// Where something is chosen and its progress shown, before there is a chat.

import type { Settings } from "../settings/index.ts";
import { chooseTheme, createStyle, type Style, wantsColour } from "./style.ts";

export interface Screen {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  style: Style;
  /** Nothing is ever painted over. */
  plain: boolean;
}

/** The screen a person can choose on; undefined when there is none. */
export function openScreen(settings: Settings): Screen | undefined {
  const { stdin: input, stdout: output } = process;
  if (!input.isTTY || !output.isTTY || settings.json) return undefined;
  return screenFor(settings);
}

/** Where something is told, whoever reads it. */
export function screenFor({ plain = false, theme }: Pick<Settings, "plain" | "theme">): Screen {
  const { stdin: input, stdout: output, env } = process;
  chooseTheme(theme, env);
  const style = createStyle(wantsColour(output, plain, env));
  return { input, output, style, plain: plain || env.TERM === "dumb" || !output.isTTY };
}
