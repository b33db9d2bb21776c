// Which key does what to the text. Keys that concern more than the text (Enter, history, menus) are in the editor.

import type { TextBuffer } from "./text-buffer.ts";

type Edit = (buffer: TextBuffer) => void;

const both = (edit: Edit, ...names: string[]): [string, Edit][] => names.map((name) => [name, edit]);

export const bindings: ReadonlyMap<string, Edit> = new Map([
  ...both((text) => text.left(), "left", "ctrl-b"),
  ...both((text) => text.right(), "right", "ctrl-f"),
  ...both((text) => text.wordLeft(), "alt-b", "alt-left", "ctrl-left"),
  ...both((text) => text.wordRight(), "alt-f", "alt-right", "ctrl-right"),
  ...both((text) => text.lineStart(), "home", "ctrl-a"),
  ...both((text) => text.lineEnd(), "end", "ctrl-e"),
  ...both((text) => text.textStart(), "ctrl-home", "alt-<"),
  ...both((text) => text.textEnd(), "ctrl-end", "alt->"),
  ...both((text) => text.deleteLeft(), "backspace", "shift-backspace"),
  ...both((text) => text.deleteRight(), "delete", "ctrl-d"),
  ...both((text) => text.killChunkLeft(), "ctrl-w"),
  ...both((text) => text.killWordLeft(), "alt-backspace", "ctrl-backspace", "ctrl-alt-h"),
  ...both((text) => text.killWordRight(), "alt-d", "alt-delete", "ctrl-delete"),
  ...both((text) => text.killToLineStart(), "ctrl-u"),
  ...both((text) => text.killToLineEnd(), "ctrl-k"),
  ...both((text) => text.yank(), "ctrl-y"),
  ...both((text) => text.transpose(), "ctrl-t"),
  ...both((text) => text.undo(), "ctrl-_", "ctrl-/", "ctrl-shift--"),
  ...both((text) => text.insert("\n"), "ctrl-j", "shift-enter", "alt-enter", "ctrl-enter", "ctrl-shift-enter"),
]);
