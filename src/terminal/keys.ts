// Which keys were pressed, for what is not a text: menus, tables on the whole screen, waiting.

import { KeyDecoder, type Key as Pressed } from "./editor/keys.ts";

export type Key =
  | { name: "up" | "down" | "left" | "right" | "home" | "end" | "pageup" | "pagedown" }
  | { name: "enter" | "backspace" | "escape" | "interrupt" }
  | { name: "character"; character: string };

type Named = Exclude<Key["name"], "character">;

const names: Record<string, Named> = {
  up: "up",
  down: "down",
  left: "left",
  right: "right",
  home: "home",
  end: "end",
  "page-up": "pageup",
  "page-down": "pagedown",
  enter: "enter",
  "ctrl-j": "enter",
  backspace: "backspace",
  escape: "escape",
  "ctrl-c": "interrupt",
  "ctrl-d": "interrupt",
};

/** Milliseconds in which the rest of a sequence follows an escape. */
const together = 50;

/** Calls `onKey` for each key until the returned function is called, which hands the terminal back as it was. */
export function readKeys(input: NodeJS.ReadStream, onKey: (key: Key) => void): () => void {
  const decoder = new KeyDecoder();
  let waiting: NodeJS.Timeout | undefined;
  let stopped = false;
  let rest: Buffer = Buffer.alloc(0);

  function take(keys: readonly Pressed[]): void {
    for (const key of keys) {
      if (stopped) return;
      if (key.type === "text") for (const character of key.text) onKey({ name: "character", character });
      const name = key.type === "press" ? names[key.name] : undefined;
      if (name) onKey({ name });
    }
  }

  function onData(data: Buffer): void {
    clearTimeout(waiting);
    // One by one: what comes after the key that ends this belongs to whoever reads next.
    for (rest = data; rest.length > 0 && !stopped; ) {
      const byte = rest.subarray(0, 1);
      rest = rest.subarray(1);
      take(decoder.push(byte));
    }
    if (decoder.held !== "nothing") waiting = setTimeout(() => take(decoder.flush()), together);
  }

  input.setRawMode(true);
  input.on("data", onData);
  input.resume();
  return () => {
    if (stopped) return;
    stopped = true;
    clearTimeout(waiting);
    input.off("data", onData);
    input.setRawMode(false);
    input.pause();
    if (rest.length > 0) input.unshift(rest);
  };
}
