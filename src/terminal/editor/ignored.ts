// Roughly what a .gitignore says, so that a list of files is not full of what nobody wrote.

/** Whether to leave out a path, relative to the folder of the .gitignore; undefined when it says nothing about it. */
export type Ignores = (path: string, isFolder: boolean) => boolean | undefined;

export function readIgnores(content: string): Ignores {
  const rules = content.split(/\r?\n/).flatMap((line) => readRule(line) ?? []);
  return (path, isFolder) =>
    rules.findLast(({ pattern, foldersOnly }) => (isFolder || !foldersOnly) && pattern.test(path))?.ignored;
}

interface Rule {
  pattern: RegExp;
  ignored: boolean;
  foldersOnly: boolean;
}

function readRule(line: string): Rule | undefined {
  const written = line.replace(/(?<!\\)\s+$/, "");
  if (written === "" || written.startsWith("#")) return undefined;
  const ignored = !written.startsWith("!");
  const bare = written.replace(/^[!\\]/, "");
  const foldersOnly = bare.endsWith("/");
  const glob = bare.replace(/\/$/, "");
  // A slash inside ties the pattern to the folder; without one the name may be anywhere below.
  const start = glob.includes("/") ? "^" : "^(?:.*/)?";
  try {
    return { pattern: new RegExp(`${start}${globPattern(glob.replace(/^\//, ""))}$`), ignored, foldersOnly };
  } catch {
    return undefined;
  }
}

function globPattern(glob: string): string {
  return glob.replace(/\*\*\/|\/\*\*$|\*+|\?|\[[^\]/]+\]|[.+^${}()|\\[\]]/g, (part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part === "/**") return "/.*";
    if (part.startsWith("*")) return "[^/]*";
    if (part === "?") return "[^/]";
    return part.length > 1 ? part.replace(/^\[!/, "[^").replaceAll("\\", "\\\\") : `\\${part}`;
  });
}
