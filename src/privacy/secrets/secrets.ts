// The secrets that are known here, and the text that stands in their place: values of the environment, of .env files, of the file
// of keys, and what is known by its look. One pass over a text; a text without any is handed back as it is.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { keptKeyValues, parseDotEnv, readPlainFile } from "../../settings/index.ts";
import { mayHaveShape, shapeAt, shapePatterns, unfinishedShape } from "./shapes.ts";
import { isSecret, isTrivial } from "./values.ts";

export interface SecretSources {
  env: NodeJS.ProcessEnv;
  /** Whose .env files count. */
  cwd: string;
  /** Whether anything is masked; asked each time. */
  active?: () => boolean;
}

/** Text that comes in pieces: a secret may be in several of them. */
export interface MaskedStream {
  /** What may be written of everything so far, and was not written yet. */
  push(text: string): string;
  /** The rest. */
  end(): string;
}

export interface Mask {
  readonly mask: (text: string) => string;
  stream(): MaskedStream;
  /** Changes when another secret is known, so that what was masked before may be kept until then. */
  version(): number;
}

interface Range {
  from: number;
  to: number;
  name: string;
}

/** Of a secret that comes in pieces, so many characters may have been let through before it was seen what they are. */
const least = 4;
/** Of a secret that was cut off, so many characters are too many. */
const leastCut = 8;
/** So much of what was let through is looked at again, since a shape may have begun in it. */
const remembered = 64;
/** Longer than this is no secret. */
const longest = 16_384;
/** Of a text without end, values are looked for in all of it; what is known only by its look, in so many characters. */
const mostForShapes = 64_000_000;
const largestDotEnv = 1_000_000;

export const maskFor = (name: string): string => `‹secret ${name}›`;

export class Secrets implements Mask {
  readonly #sources: SecretSources;
  readonly #given = new Map<string, string>();
  /** Value to name, the longest first. */
  #values: (readonly [value: string, name: string])[] | undefined;
  #version = 0;
  #folderChanged = 0;
  readonly #dotEnvs = new Map<string, number>();
  #shapes: readonly RegExp[] | undefined;
  #unfinished: RegExp | undefined;

  /** Nothing is read before there is a text. */
  constructor(sources: SecretSources) {
    this.#sources = sources;
  }

  /** One more: a key that was found in a keyring, or typed. */
  know(name: string, value: string): void {
    if (value.length < 6 || isTrivial(value) || this.#given.get(value) === name) return;
    this.#given.set(value, name);
    this.#values = undefined;
  }

  readonly mask = (text: string): string => this.#masked(text, 0);

  stream(): MaskedStream {
    let before = "";
    let held = "";
    let seen = 0;
    const letThrough = (until: number, whole: string): string => {
      const masked = this.#masked(whole.slice(0, until), before.length, seen < mostForShapes);
      held = whole.slice(until);
      before = whole.slice(Math.max(0, until - remembered), until);
      return masked;
    };
    return {
      push: (text) => {
        seen += text.length;
        const whole = before + held + text;
        const until = Math.max(before.length, this.#unfinishedAt(whole));
        return letThrough(whole.length - until > longest ? whole.length : until, whole);
      },
      end: () => letThrough(before.length + held.length, before + held),
    };
  }

  /** The text from `from` on; what is before it was written already. */
  #masked(text: string, from: number, withShapes = true): string {
    const ranges = this.#find(text, withShapes);
    if (ranges.length === 0) return from === 0 ? text : text.slice(from);
    let made = "";
    let at = from;
    for (const range of ranges) {
      if (range.to <= at) continue;
      made += text.slice(at, Math.max(at, range.from)) + maskFor(range.name);
      at = range.to;
    }
    return made + text.slice(at);
  }

  #find(text: string, withShapes: boolean): Range[] {
    if (text.length < least || this.#sources.active?.() === false) return [];
    const ranges: Range[] = [];
    for (const [value, name] of this.#known())
      for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length))
        ranges.push({ from: at, to: at + value.length, name });
    if (text.includes(" characters left out")) ranges.push(...this.#cut(text));
    if (!withShapes || (text.length < longest && !mayHaveShape(text)))
      return ranges.length < 2 ? ranges : joined(ranges);
    this.#shapes ??= shapePatterns();
    for (const pattern of this.#shapes) {
      pattern.lastIndex = 0;
      for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
        const shape = shapeAt(text, found.index);
        if (shape && !isTrivial(text.slice(shape.from, shape.to))) ranges.push(shape);
      }
    }
    return ranges.length < 2 ? ranges : joined(ranges);
  }

  /** Where a long output was shortened, a secret may have been cut in two. */
  #cut(text: string): Range[] {
    const ranges: Range[] = [];
    for (const { index, 0: note } of text.matchAll(/\n*\[… \d+ characters left out[^\]]*\]\n*/g)) {
      const from = this.#valueBegunAt(text.slice(0, index));
      if (index - from >= leastCut) ranges.push({ from, to: index, name: "cut off" });
      const behind = index + note.length;
      for (const [value] of this.#known())
        for (let length = value.length - 1; length >= leastCut; length--)
          if (text.startsWith(value.slice(-length), behind)) {
            ranges.push({ from: behind, to: behind + length, name: "cut off" });
            break;
          }
    }
    return ranges;
  }

  /** Where the beginning of a value stands that the text ends with. */
  #valueBegunAt(text: string): number {
    let at = text.length;
    for (const [value] of this.#known()) {
      const head = value.slice(0, least);
      const from = Math.max(0, text.length - value.length + 1);
      for (let place = text.indexOf(head, from); place !== -1 && place < at; place = text.indexOf(head, place + 1))
        if (value.startsWith(text.slice(place))) at = place;
    }
    return at;
  }

  #unfinishedAt(text: string): number {
    if (this.#sources.active?.() === false) return text.length;
    let at = this.#valueBegunAt(text);
    const block = text.lastIndexOf("-----BEGIN ");
    if (block !== -1 && block < at && !text.includes("-----END ", block) && isKeyBlock(text.slice(block, block + 80)))
      at = block;
    const tail = text.slice(-longest);
    const from = Math.max(0, lastWord(tail) - remembered);
    this.#unfinished ??= unfinishedShape();
    const found = this.#unfinished.exec(tail.slice(from));
    return found ? Math.min(at, text.length - tail.length + from + found.index) : at;
  }

  version(): number {
    if (this.#sources.active?.() === false) return -1;
    this.#known();
    return this.#version;
  }

  #known(): readonly (readonly [string, string])[] {
    if (this.#dotEnvChanged() || !this.#values) {
      this.#values = this.#read();
      this.#version++;
    }
    return this.#values;
  }

  #read(): (readonly [string, string])[] {
    const { env, cwd } = this.#sources;
    const found = new Map<string, string>();
    const take = (name: string, value: string | undefined): void => {
      const plain = value?.trim() ?? "";
      if (isSecret(name, plain) && !found.has(plain)) found.set(plain, name);
    };
    for (const [name, value] of Object.entries(env)) take(name, value);
    for (const name of this.#dotEnvs.keys()) {
      const file = readPlainFile(join(cwd, name), largestDotEnv);
      if (file) for (const [variable, value] of parseDotEnv(file.bytes.toString("utf8"))) take(variable, value);
    }
    for (const [provider, key] of keptKeyValues(env)) if (!found.has(key)) found.set(key, `${provider} key`);
    for (const [value, name] of this.#given) if (!found.has(value)) found.set(value, name);
    for (const [value, name] of [...found]) {
      const escaped = JSON.stringify(value).slice(1, -1);
      if (escaped !== value) found.set(escaped, name);
    }
    return [...found].sort(([a], [b]) => b.length - a.length);
  }

  /** Whether a .env file has come, gone or changed since it was last looked at. */
  #dotEnvChanged(): boolean {
    const { cwd } = this.#sources;
    const folder = changeOf(cwd);
    let changed = false;
    if (folder !== this.#folderChanged) {
      this.#folderChanged = folder;
      const names = new Set(dotEnvNames(cwd));
      for (const name of this.#dotEnvs.keys()) if (!names.has(name)) changed = this.#dotEnvs.delete(name);
      for (const name of names) if (!this.#dotEnvs.has(name)) this.#dotEnvs.set(name, -1);
    }
    for (const [name, before] of this.#dotEnvs) {
      const now = changeOf(join(cwd, name));
      if (now === before) continue;
      this.#dotEnvs.set(name, now);
      changed = true;
    }
    return changed;
  }
}

/** In order; of those that overlap one is made, with the name of the one that is known by its value. */
function joined(ranges: Range[]): Range[] {
  const made: Range[] = [];
  for (const range of ranges.sort((a, b) => a.from - b.from)) {
    const last = made.at(-1);
    if (last && range.from < last.to) last.to = Math.max(last.to, range.to);
    else made.push({ ...range });
  }
  return made;
}

/** Those that only show what belongs into one hold no secret. */
function dotEnvNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter(
      (name) => /^\.env(?:\.|$)|\.env$/.test(name) && !/example|sample|template|dist$/i.test(name),
    );
  } catch {
    return [];
  }
}

/** Changes whenever the file does; the size too, since two changes may fall into one moment. */
function changeOf(path: string): number {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts ? facts.mtimeMs + facts.size / 1e9 : 0;
}

/** As far as it has come. */
const isKeyBlock = (text: string): boolean =>
  /^-----BEGIN (?:[A-Z0-9]+ ){0,3}(?:PRIVATE KEY|[A-Z0-9 ]{0,40}$)/.test(text);

/** Where what follows the last space begins. */
function lastWord(text: string): number {
  let at = text.length;
  while (at > 0 && text.charCodeAt(at - 1) > 0x20) at--;
  return at;
}
