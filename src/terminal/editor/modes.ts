// What is switched on in the terminal while it is ours, and how to switch it off again.

import type { Folding } from "../tail.ts";

export interface Modes {
  on: string;
  off: string;
}

const paste: Modes = { on: "\x1b[?2004h", off: "\x1b[?2004l" };
/** Keys that are otherwise the same are told apart; letters of other alphabets name the English key too. */
const kitty: Modes = { on: "\x1b[>5u", off: "\x1b[<u" };
const otherKeys: Modes = { on: "\x1b[>4;1m", off: "\x1b[>4;0m" };

/** Asked only of terminals that are known to understand: others might show it, or move the cursor. */
export function modesFor(env: NodeJS.ProcessEnv): Modes {
  const program = env.TERM_PROGRAM ?? "";
  const inside = program === "tmux" || env.TMUX !== undefined;
  const knows =
    /^(xterm-kitty|xterm-ghostty|foot|alacritty)/.test(env.TERM ?? "") ||
    /^(ghostty|WezTerm|iTerm\.app|kitty|rio)$/.test(program);
  const keys = inside || env.XTERM_VERSION ? otherKeys : knows ? kitty : { on: "", off: "" };
  return { on: paste.on + keys.on, off: keys.off + paste.off };
}

/** What the terminal does with rows that are too long when its window becomes narrower. */
export function foldingOf(env: NodeJS.ProcessEnv): Folding {
  if (env.TERM_PROGRAM === "vscode") return "xterm.js";
  const inside = env.TMUX !== undefined || env.TERM_PROGRAM === "tmux";
  return !inside && (env.XTERM_VERSION || /^(linux|screen)/.test(env.TERM ?? "")) ? "none" : "all";
}
