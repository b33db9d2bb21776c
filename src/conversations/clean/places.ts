// Files as they are seen from the working folder.

import { homedir } from "node:os";
import { isAbsolute, relative, resolve } from "node:path";

/** A path from the folder when it is in there, and the whole path when it is not. */
export function placeOf(path: string, folder: string): string {
  const whole = resolve(
    folder,
    path.replace(/^~(?=[/\\]|$)/, () => homedir()),
  );
  const inside = relative(folder, whole);
  return inside === "" ? "." : isOutside(inside) ? whole : inside;
}

/** Whether a place is not in the folder. */
export const isOutside = (place: string): boolean => isAbsolute(place) || place === ".." || /^\.\.[\\/]/.test(place);
