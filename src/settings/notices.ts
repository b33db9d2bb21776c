// What is said of choices that change nothing here.

import { type Option, options, type Settings } from "./options/index.ts";

/** One sentence for each that was chosen. */
export function noticesFor(settings: Settings): string[] {
  const chosen = settings as Readonly<Record<string, unknown>>;
  return (options as readonly Option[]).flatMap(({ name, notice, silentFor }) => {
    const value = chosen[name];
    return notice && value !== undefined && value !== false && value !== silentFor ? [notice] : [];
  });
}
