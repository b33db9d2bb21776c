// What holds when nothing was chosen, as people read it.

import { defaults, type Option } from "./options/index.ts";
import { sizeText } from "./values.ts";

export function standingText({ name, kind }: Option): string | undefined {
  const standing = (defaults as Readonly<Record<string, unknown>>)[name];
  if (standing === undefined) return undefined;
  return kind === "size" ? sizeText(standing as number) : String(standing);
}
