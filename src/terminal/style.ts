// Colour with restraint: a few named styles that become nothing where colour is not wanted.

const codes = {
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
} as const;

export type Look = keyof typeof codes;

export type Style = { readonly colour: boolean } & Readonly<Record<Look, (text: string) => string>>;

export function createStyle(colour: boolean): Style {
  const looks = Object.entries(codes).map(([look, [open, close]]) => [
    look,
    (text: string) => (colour && text !== "" ? `\x1b[${open}m${text}\x1b[${close}m` : text),
  ]);
  return { colour, ...Object.fromEntries(looks) };
}

export function wantsColour(stream: { isTTY?: boolean }, plain: boolean, env: NodeJS.ProcessEnv): boolean {
  if (plain || env.NO_COLOR || env.TERM === "dumb") return false;
  if (env.FORCE_COLOR && env.FORCE_COLOR !== "0") return true;
  return stream.isTTY === true;
}
