// Where --verbose tells: on standard error; in between, where that is the screen that is being drawn on.

import { sanitize } from "./sanitize.ts";
import type { View } from "./view.ts";

export const traceTo =
  (view: View) =>
  (line: string): void => {
    const text = `${sanitize(line)}\n`;
    if (!view.live || !process.stderr.isTTY) {
      process.stderr.write(text);
      return;
    }
    view.settle();
    view.print(view.style.dim(text));
  };
