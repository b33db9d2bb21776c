// Python's names: one thing can be reached by many of them, and each is known here by one.

import type { Value } from "../value.ts";

const sameAs: readonly (readonly [RegExp, string])[] = [
  [/^(builtins|__builtins__|__builtin__)(\.__dict__)?\./, ""],
  [/^sys\.modules\./, ""],
  [/\.__dict__\./, "."],
  [/^(posix|nt|os\.posix)\./, "os."],
  [/^(posixpath|ntpath)\./, "os.path."],
  [/^(io|codecs|os|aiofiles)\.(open|fdopen)\b/, "open"],
  [/^pathlib\.(PosixPath|WindowsPath|PurePath)\b/, "pathlib.Path"],
  // Names that earlier blocks have given to things, as nearly everybody does.
  [/^(Path|PosixPath)\b/, "pathlib.Path"],
  [/^environ\b/, "os.environ"],
  [/^pd\b/, "pandas"],
  [/^np\b/, "numpy"],
];

export const pythonName = (name: string): string => sameAs.reduce((at, [from, to]) => at.replace(from, to), name);

/** What a full name stands for. */
export function pythonThing(written: string): Value {
  const name = pythonName(written);
  if (name === "os.environ") return { name, from: [{ type: "environment" }] };
  return name === "sys.executable" ? { name, text: "python3", from: [] } : { name, from: [] };
}
