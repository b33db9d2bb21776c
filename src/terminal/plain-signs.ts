// For terminals that have no Unicode: our own signs in plain letters, each as wide as the one it stands for.

const signs: Record<string, string> = {
  "│": "|",
  "─": "-",
  "…": "~",
  "·": "-",
  "•": "*",
  "✗": "x",
  "✓": "+",
  "−": "-",
  "❯": ">",
  "☐": "o",
  "☑": "x",
  "×": "x",
  "█": "#",
  "░": ".",
  "⏎": "/",
  "→": ">",
  "↑": "^",
  "↓": "v",
  "“": '"',
  "”": '"',
  "’": "'",
};
const anySign = new RegExp(`[${Object.keys(signs).join("")}]`, "g");

/** Whether the person's locale says that the terminal shows more than ASCII. */
export function hasUnicode(env: NodeJS.ProcessEnv, platform = process.platform): boolean {
  if (platform === "win32") return Boolean(env.WT_SESSION || env.TERM_PROGRAM || /utf-?8/i.test(env.LANG ?? ""));
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "";
  // Without any word about it most terminals of today have it; only a locale that says otherwise is believed.
  return locale === "" ? env.TERM !== "linux" : /utf-?8/i.test(locale);
}

export const inPlainSigns = (text: string): string => text.replace(anySign, (sign) => signs[sign]!);
