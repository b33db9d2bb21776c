// Which language the code cells of a notebook are in.

const python = /^(x?python\d?|ipython\d?|pyodide|cpython)\b/i;

/** `python`, or `jupyter:NAME` for a notebook of another kernel. */
export function languageOf(metadata: Record<string, unknown>): string {
  const { name, language } = Object(metadata.kernelspec) as { name?: unknown; language?: unknown };
  const { name: spoken } = Object(metadata.language_info) as { name?: unknown };
  const words = [language, spoken, name].filter((word): word is string => typeof word === "string" && word !== "");
  if (words.length === 0 || python.test(words[0]!)) return "python";
  return `jupyter:${(typeof name === "string" && name !== "" ? name : words[0]!).toLowerCase()}`;
}
