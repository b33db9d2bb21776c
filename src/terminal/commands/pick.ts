// Something chosen from a menu in the middle of a chat.

import { choose, type Menu } from "../menu.ts";
import type { ChatControls } from "./command.ts";

/** Undefined when nothing was chosen. */
export async function pick<T>({ lines, view, settings }: ChatControls, menu: Menu<T>): Promise<T | undefined> {
  const resume = lines.suspend();
  const { stdin: input, stdout: output } = process;
  try {
    const plain = !view.live || settings.plain === true;
    const chosen = await choose(menu, { input, output, style: view.style, plain });
    return chosen.type === "chosen" ? chosen.value : undefined;
  } finally {
    resume();
  }
}
