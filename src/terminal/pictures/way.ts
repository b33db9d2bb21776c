// How pictures can be shown in this terminal: told from the environment alone, so that nothing has to be asked and waited for.

export const ways = ["kitty", "iterm", "sixel", "blocks", "none"] as const;

export type Way = (typeof ways)[number];

type Env = Readonly<Record<string, string | undefined>>;

/** `chosen` is the setting `images`; without one, or with `auto`, the terminal decides. */
export function pictureWay(env: Env, chosen: string | undefined): Way {
  return ways.find((way) => way === chosen) ?? wayOf(env);
}

/** A multiplexer hands on only what it knows, and it does not know pictures. */
export const inMultiplexer = (env: Env): boolean =>
  Boolean(env.TMUX || env.STY || env.ZELLIJ) || /^(tmux|screen)/.test(env.TERM ?? "");

function wayOf(env: Env): Way {
  const { TERM = "", TERM_PROGRAM = "" } = env;
  if (inMultiplexer(env)) return "blocks";
  if (TERM === "xterm-kitty" || env.KITTY_WINDOW_ID) return "kitty";
  if (TERM === "xterm-ghostty" || /^(ghostty|WarpTerminal)$/.test(TERM_PROGRAM)) return "kitty";
  if (Number(env.KONSOLE_VERSION) >= 220400) return "kitty";
  if (/^(iTerm\.app|WezTerm|mintty|rio)$/.test(TERM_PROGRAM) || env.LC_TERMINAL === "iTerm2") return "iterm";
  if (TERM_PROGRAM === "vscode" && isAtLeast(env.TERM_PROGRAM_VERSION, 1, 80)) return "iterm";
  if (/^(foot|mlterm|yaft|vt340|contour)/.test(TERM) || TERM_PROGRAM === "contour" || env.WT_SESSION) return "sixel";
  return "blocks";
}

/** Whether a click on a path can open it (OSC 8). */
export function hasLinks(env: Env): boolean {
  const { TERM = "", TERM_PROGRAM = "" } = env;
  if (inMultiplexer(env)) return false;
  if (["kitty", "iterm"].includes(wayOf(env)) || env.WT_SESSION || Number(env.VTE_VERSION) >= 5000) return true;
  return /^(foot|alacritty|contour|wezterm)/.test(TERM) || /^(vscode|contour|Hyper|Tabby)$/.test(TERM_PROGRAM);
}

/** Whether colours may be any of 16 million; otherwise there are 256. */
export const hasAllColours = (env: Env): boolean =>
  env.TERM_PROGRAM !== "Apple_Terminal" && !(env.STY && !env.TMUX) && env.TERM !== "linux";

function isAtLeast(version: string | undefined, major: number, minor: number): boolean {
  const [first = 0, second = 0] = (version ?? "").split(".").map(Number);
  return first > major || (first === major && second >= minor);
}
