// What a sequence of the terminal means, as the name of a key: the classic forms, and those that tell Shift-Enter from Enter
// (kitty's, and xterm's modifyOtherKeys).

const controls: Record<string, string> = {
  "\x00": "ctrl-space",
  "\x08": "backspace",
  "\x09": "tab",
  "\x0d": "enter",
  "\x1b": "escape",
  "\x1c": "ctrl-\\",
  "\x1d": "ctrl-]",
  "\x1e": "ctrl-^",
  "\x1f": "ctrl-_",
  "\x7f": "backspace",
};

const letters: Record<string, string> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  M: "enter",
};

const numbers: Record<string, string> = {
  1: "home",
  3: "delete",
  4: "end",
  5: "page-up",
  6: "page-down",
  7: "home",
  8: "end",
};

/** Keys that have a number of their own in the newer forms; the keypad's first. */
const codes: Record<number, string> = {
  9: "tab",
  13: "enter",
  27: "escape",
  127: "backspace",
  ...Object.fromEntries([..."0123456789./*-+"].map((sign, index) => [57_399 + index, `=${sign}`])),
  57414: "enter",
  57415: "==",
  57417: "left",
  57418: "right",
  57419: "up",
  57420: "down",
  57421: "page-up",
  57422: "page-down",
  57423: "home",
  57424: "end",
  57426: "delete",
};

/** The name of the key; a name that begins with "=" is text. Nothing when the sequence means nothing here. */
export function pressOf(sequence: string): string[] {
  if (sequence.length === 1) return [controlOf(sequence)];
  if (sequence.startsWith("\x1b\x1b")) return pressOf(sequence.slice(1)).map((name) => withAlt(name));
  const control = /^\x1b\[([0-9;:]*)([A-Za-z~^$@])$/.exec(sequence);
  if (control) return readControl(control[1]!, control[2]!);
  const old = /^\x1bO([0-9;]*)([A-Z])$/.exec(sequence);
  if (old) return named(letters[old[2]!], Number(old[1] || 1));
  if (/^\x1b[[\]OP_^X]./s.test(sequence)) return [];
  const [, character] = [...sequence];
  return character === undefined
    ? []
    : [withAlt(/[\x00-\x1f\x7f]/.test(character) ? controlOf(character) : character.toLowerCase())];
}

function controlOf(character: string): string {
  return controls[character] ?? `ctrl-${String.fromCharCode(character.charCodeAt(0) + 96)}`;
}

function readControl(parameters: string, final: string): string[] {
  const [first = "", second = "", third = ""] = parameters.split(";");
  const [modifiers = "1", event] = second.split(":");
  if (event === "3") return []; // Let go, not pressed.
  const held = Number(modifiers || 1);
  if (final === "u") return readCode(first, held, third);
  if (final === "~" && first === "27") return readCode(third, held, "");
  if (final === "~") return named(numbers[first], held);
  if (final === "^") return named(numbers[first], 5);
  if (final === "$") return named(numbers[first], 2);
  if (final === "Z") return ["shift-tab"];
  if (/[a-d]/.test(final)) return named(letters[final.toUpperCase()], 2);
  return final === "M" ? [] : named(letters[final], held);
}

/** A key by its number: `code:shifted:as on an English keyboard`. */
function readCode(code: string, held: number, typed: string): string[] {
  const [own = "", , english = ""] = code.split(":");
  const number = Number(own);
  if (own === "" || !(number > 0 && number <= 0x10ffff) || (number >= 0xd800 && number < 0xe000)) return [];
  const known = codes[number];
  if (known?.startsWith("=")) return [known];
  if (known) return named(known, held);
  if (number < 32 || (number >= 0x7f && number < 0xa0) || (number >= 57_344 && number <= 63_743)) return [];
  const { ctrl, alt, shift } = modifiersOf(held);
  const character = String.fromCodePoint(number);
  if (!ctrl && !alt) {
    const text = typed ? String.fromCodePoint(...typed.split(":").map(Number).filter(isPrintable)) : "";
    return [`=${text || (shift ? character.toUpperCase() : character)}`];
  }
  const base = number > 127 && isPrintable(Number(english)) ? String.fromCodePoint(Number(english)) : character;
  return named(base === " " ? "space" : base.toLowerCase(), held);
}

const isPrintable = (code: number): boolean => code >= 32 && code !== 127 && code <= 0x10ffff;

function modifiersOf(held: number): { ctrl: boolean; alt: boolean; shift: boolean } {
  const bits = held - 1;
  return { shift: (bits & 1) > 0, alt: (bits & 2) > 0 || (bits & 32) > 0, ctrl: (bits & 4) > 0 };
}

function named(name: string | undefined, held: number): string[] {
  if (name === undefined) return [];
  const { ctrl, alt, shift } = modifiersOf(held);
  return [`${ctrl ? "ctrl-" : ""}${alt ? "alt-" : ""}${shift ? "shift-" : ""}${name}`];
}

function withAlt(name: string): string {
  return name.startsWith("ctrl-") ? `ctrl-alt-${name.slice(5)}` : `alt-${name.replace(/^=/, "")}`;
}
