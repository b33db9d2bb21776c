// What a conversation has to be told when it goes on: that files of it were taken back while it was not looking.

import { appendFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

const placeOf = (data: string, conversation: string): string => join(data, "undo", "notes", basename(conversation));

export function leaveNote(data: string, conversation: string, note: string): void {
  mkdirSync(join(data, "undo", "notes"), { recursive: true, mode: 0o700 });
  appendFileSync(placeOf(data, conversation), `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

/** Each is taken once. */
export function takeNotes(data: string, conversation: string): string[] {
  const place = placeOf(data, conversation);
  let text: string;
  try {
    text = readFileSync(place, "utf8");
  } catch {
    return [];
  }
  rmSync(place, { force: true });
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as string);
}

/** For the model, who would believe otherwise. */
export function undoNote(how: "undo" | "redo", files: readonly string[]): string {
  const done =
    how === "undo" ? "taken back what blocks did to these files" : "put back what blocks had done to these files";
  return `(The user has ${done}: ${files.slice(0, 50).join(", ")}${files.length > 50 ? ", …" : ""}. Look at them before you rely on them.)`;
}
