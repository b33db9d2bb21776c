// Settings of git as they stand in a file: `[section "sub"]`, then `key = value`.

import { readPlainFile } from "../../settings/index.ts";
import { raw } from "../undo/names.ts";

export interface GitSetting {
  /** In lower case, as sections and keys are compared. */
  key: string;
  value: string;
}

const longest = 64_000_000;

/** None where it cannot be read. */
export function gitSettings(file: string): GitSetting[] {
  const text = readPlainFile(raw(file) as string, longest)?.bytes.toString("utf8") ?? "";
  let section = "";
  // A backslash at the end goes on in the next line.
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll("\\\n", "")
    .split("\n")
    .flatMap((line) => {
      const [, name, sub, rest = line] = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line) ?? [];
      if (name !== undefined) section = (sub === undefined ? name : `${name}.${sub}`).toLowerCase();
      const [, key, value = ""] = /^\s*([a-z][a-z0-9-]*)\s*(?:=\s*(.*)|[#;].*|)$/i.exec(rest) ?? [];
      return key === undefined ? [] : [{ key: `${section}.${key.toLowerCase()}`, value: plainValue(value) }];
    });
}

const escapes: Record<string, string> = { n: "\n", t: "\t", b: "\b" };

/** Without quotation marks, and without what stands behind a `#` or `;`. */
function plainValue(written: string): string {
  let value = "";
  let quoted = false;
  for (let at = 0; at < written.length; at++) {
    const sign = written[at]!;
    if (sign === "\\") value += escapes[written[++at] ?? ""] ?? written[at] ?? "";
    else if (sign === '"') quoted = !quoted;
    else if (!quoted && /[#;]/.test(sign)) break;
    else value += sign;
  }
  return value.trim();
}
