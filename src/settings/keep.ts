// Writes one setting into settings.yaml and leaves everything else there as it is: comments, order, quotes.

import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { places } from "./places.ts";

/** Says which file it is in now. */
export async function keepSetting(name: string, value: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const path = join(places(env).config, "settings.yaml");
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  replace(path, await withSetting(text, name, value));
  return path;
}

/** The text of a settings file with a setting in it. */
export async function withSetting(text: string, name: string, value: string): Promise<string> {
  const { isMap, isScalar, parseDocument } = await import("./yaml.ts");
  const document = parseDocument(text);
  const written = /^[\w./:@+-]+$/.test(value) && !value.endsWith(":") ? value : JSON.stringify(value);
  const pair = isMap(document.contents)
    ? document.contents.items.find(({ key }) => isScalar(key) && key.value === name)
    : undefined;
  const range = isScalar(pair?.value) ? pair.value.range : undefined;
  const edited = range
    ? `${text.slice(0, range[0]).replace(/:$/, ": ")}${written}${text.slice(range[1])}`
    : `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${name}: ${written}\n`;
  const result = parseDocument(edited);
  if (result.errors.length === 0 && result.get(name) === value) return edited;
  document.set(name, value);
  return String(document);
}

/** In one moment; a link stays a link, and whoever could read the file still can. */
function replace(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const place = existsSync(path) ? realpathSync(path) : path;
  const mode = existsSync(place) ? statSync(place).mode & 0o777 : 0o600;
  const draft = `${place}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { mode });
    renameSync(draft, place);
  } finally {
    rmSync(draft, { force: true });
  }
}
