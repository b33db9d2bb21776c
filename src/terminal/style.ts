// Colour with restraint: a few named styles that become nothing where colour is not wanted.

export interface Style {
  readonly colour: boolean;
  dim(text: string): string;
  bold(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  blue(text: string): string;
  magenta(text: string): string;
  cyan(text: string): string;
}

export function createStyle(colour: boolean): Style {
  const sgr = (open: number, close: number) => (text: string) =>
    colour && text !== "" ? `\x1b[${open}m${text}\x1b[${close}m` : text;
  return {
    colour,
    dim: sgr(2, 22),
    bold: sgr(1, 22),
    red: sgr(31, 39),
    green: sgr(32, 39),
    yellow: sgr(33, 39),
    blue: sgr(34, 39),
    magenta: sgr(35, 39),
    cyan: sgr(36, 39),
  };
}

export function wantsColour(stream: { isTTY?: boolean }, plain: boolean, env: NodeJS.ProcessEnv): boolean {
  if (plain || env.NO_COLOR || env.TERM === "dumb") return false;
  if (env.FORCE_COLOR && env.FORCE_COLOR !== "0") return true;
  return stream.isTTY === true;
}
