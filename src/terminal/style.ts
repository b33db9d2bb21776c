// Colour with restraint: a few named styles that become nothing where colour is not wanted, and that can be read on a light
// terminal as well as on a dark one.

type Code = readonly [open: number | string, close: number];

const dark = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  strike: [9, 29],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const satisfies Record<string, Code>;

export type Look = keyof typeof dark;

/** Faint, yellow, green and cyan can hardly be read on white: darker ones of the 256 colours stand for them. */
const light: Readonly<Record<Look, Code>> = {
  ...dark,
  dim: ["38;5;243", 39],
  red: ["38;5;160", 39],
  green: ["38;5;28", 39],
  yellow: ["38;5;130", 39],
  cyan: ["38;5;31", 39],
};

export const themes = ["auto", "light", "dark", "none"] as const;
export type Theme = (typeof themes)[number];

export type Style = { readonly colour: boolean } & Readonly<Record<Look, (text: string) => string>>;

/** What every style draws with: there is one terminal. */
let codes: Readonly<Record<Look, Code>> | undefined = dark;

/** From now on, for every style there is. */
export function chooseTheme(theme: string | undefined, env: NodeJS.ProcessEnv): void {
  const chosen = theme === undefined || theme === "auto" ? (isLight(env) ? "light" : "dark") : theme;
  codes = chosen === "none" ? undefined : chosen === "light" ? light : dark;
}

/** COLORFGBG ends with the number of the background; terminals that tell at all tell it there. */
function isLight({ COLORFGBG }: NodeJS.ProcessEnv): boolean {
  const background = Number(/;(\d+)$/.exec(COLORFGBG ?? "")?.[1] ?? 0);
  return background === 7 || (background > 8 && background < 16);
}

export function createStyle(colour: boolean): Style {
  const looks = (Object.keys(dark) as Look[]).map((look) => [
    look,
    (text: string): string => {
      if (!colour || !codes || text === "") return text;
      const [open, close] = codes[look];
      return `\x1b[${open}m${text}\x1b[${close}m`;
    },
  ]);
  return { colour, ...Object.fromEntries(looks) };
}

export function wantsColour(stream: { isTTY?: boolean }, plain: boolean, env: NodeJS.ProcessEnv): boolean {
  if (plain || env.NO_COLOR || env.TERM === "dumb") return false;
  if (env.FORCE_COLOR && env.FORCE_COLOR !== "0") return true;
  return stream.isTTY === true;
}
