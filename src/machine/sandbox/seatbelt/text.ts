// Paths as texts and patterns of a profile: nothing in a name can end the text that it stands in.

const escapes: Record<string, string> = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t" };

export const quoted = (path: string): string =>
  `"${path.replace(/[\\"\x01-\x1f\x7f]/g, (sign) => escapes[sign] ?? hexadecimal(sign))}"`;

const hexadecimal = (sign: string): string => `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`;

/**
 * A pattern for a path and all below it, however it is spelled where large and small letters are the same. Signs that mean something in
 * patterns, and letters that have several forms, stand for any: it forbids, so it may cover more.
 */
export function caseless(path: string): string {
  const plain = path.replace(/[^\x20-\x7e]+/g, "\0");
  const pattern = [...plain].map((sign) => {
    if (sign === "\0") return ".+";
    if (/[a-z]/i.test(sign)) return `[${sign.toLowerCase()}${sign.toUpperCase()}]`;
    return /[\w/ -]/.test(sign) ? sign : sign === "." ? "[.]" : ".";
  });
  return `^(/System/Volumes/Data)?${pattern.join("")}(/|$)`;
}
