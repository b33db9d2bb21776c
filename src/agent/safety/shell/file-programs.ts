// What the everyday programs do to files, and what they print.

import { decodedValue, reversed } from "../script/texts.ts";
import { gap, isKnown, joined, outOf, textValue, type Value } from "../value.ts";
import { type Arguments, argumentsOf, has, words } from "./options.ts";
import type { Command, Do, Program } from "./programs.ts";

const reads = (act: Do, paths: readonly Value[]): Value => {
  for (const path of paths) act({ type: "read", path });
  return {
    from: [...outOf(...paths).from, ...paths.map(({ text }) => ({ type: "file", path: text ?? gap }) as const)],
  };
};

/** Prints what is in the files it is given, or what is piped in. */
const shows =
  (taking = "", skip = 0): Program =>
  ({ values, input }, act) => {
    const parts = argumentsOf(values, words(taking));
    const paths = parts.rest.slice(parts.given.has("-e") || parts.given.has("-f") ? 0 : skip);
    return paths.length > 0 ? reads(act, paths) : input;
  };

const copies =
  (keeps: boolean): Program =>
  ({ values }, act) => {
    const { given, rest } = argumentsOf(values, words("-t --target-directory -m -o -g -S"));
    const into = (given.get("-t") ?? given.get("--target-directory"))?.[0];
    const to = into ?? (rest.length > 1 ? rest.at(-1) : undefined);
    const from = into ? rest : rest.slice(0, -1);
    if (keeps) reads(act, from);
    if (!to) return outOf();
    act({ type: "write", path: to, append: false });
    // A file keeps its name in a folder.
    for (const { text } of from)
      if (isKnown(text) && isKnown(to.text))
        act({ type: "write", path: textValue(`${to.text}/${text.split("/").at(-1)}`), append: true });
    return outOf();
  };

const removes =
  (isRecursive: (parts: Arguments) => boolean): Program =>
  ({ values }, act) => {
    const parts = argumentsOf(values);
    for (const path of parts.rest) act({ type: "delete", path, recursive: isRecursive(parts) });
    return outOf();
  };

const decoding =
  (how: "base64" | "hex" | "other", when: RegExp): Program =>
  ({ values, input }, act) => {
    const parts = argumentsOf(values, words("-in -w -k -pass"));
    const files = [
      ...parts.rest.filter(({ text = "" }) => !/^(enc|base64)$/.test(text)),
      ...(parts.given.get("-in") ?? []),
    ];
    const source = files.length > 0 ? reads(act, files) : input;
    return has(parts, when) ? decodedValue(source, how) : source;
  };

/** The text of `echo` and `printf`, with escapes that stand for characters as those characters. */
const prints: Program = ({ name, values }) => {
  const said = name === "echo" ? values.filter(({ text = "" }) => !/^-[neE]+$/.test(text)) : values;
  const value = said.length === 1 ? said[0]! : { ...joined(said, " "), from: outOf(...said).from };
  const escaped = name === "printf" || values.some(({ text = "" }) => /^-\w*e/.test(text));
  const codes = /\\x([0-9a-f]{1,2})|\\0?([0-7]{3})/gi;
  if (!escaped || value.text === undefined || !codes.test(value.text)) return value;
  const text = value.text.replace(codes, (_, hex, octal) =>
    String.fromCharCode(hex ? Number.parseInt(hex, 16) : Number.parseInt(octal, 8)),
  );
  return { text, from: [...value.from, { type: "decoded" }] };
};

const environment: Program = ({ name, values }) => {
  const asked = name === "printenv" ? values.filter(({ text = "" }) => !text.startsWith("-")) : [];
  if (asked.length > 0)
    return { from: asked.flatMap(({ text }) => (text ? [{ type: "variable", name: text } as const] : [])) };
  const asksForAll = values.length === 0 || (values.length === 1 && /^-[pxe]$/.test(values[0]!.text ?? ""));
  return asksForAll ? { from: [{ type: "environment" }] } : outOf();
};

const kills: Program = ({ name, values }, act) => {
  const { rest } = argumentsOf(values, words("-s -u -t"));
  const asks = values.some(({ text }) => text === "-l" || text === "-0");
  const everything = name === "kill" && values.slice(1).some(({ text }) => text === "-1");
  const who = everything ? "-1" : rest.map(({ text }) => text ?? gap).join(" ");
  // What this shell itself started is its own to end.
  const own =
    !everything &&
    values.length > 0 &&
    values.every(({ text = "", from }) => /^(-|%)/.test(text) || from.some(isLastJob));
  if (!asks && !own) act({ type: "kill", who: who || "a process" });
  return outOf();
};

const isLastJob = (source: Value["from"][number]): boolean => source.type === "variable" && source.name === "!";

const changesMode: Program = ({ values }, act) => {
  const [mode, ...paths] = values.filter(({ text = "" }) => !/^-[RvfcHLP]+$|^--/.test(text));
  for (const path of paths) act({ type: "mode", path, mode: mode?.text ?? gap });
  return outOf();
};

const disk: Program = ({ values }, act) => {
  const part = (name: string): Value | undefined => {
    const found = values.find(({ text }) => text?.startsWith(`${name}=`));
    return found && { ...found, text: found.text!.slice(name.length + 1) };
  };
  const [from, to] = [part("if"), part("of")];
  if (to) act({ type: "write", path: to, append: false });
  return from ? reads(act, [from]) : outOf();
};

const changes =
  (append: boolean, taking = ""): Program =>
  ({ values, input }, act) => {
    for (const path of argumentsOf(values, words(taking)).rest) act({ type: "write", path, append });
    return input;
  };

const edits: Program = (command: Command & { name: string }, act) => {
  const parts = argumentsOf(command.values, words("-e -f"));
  const paths = parts.rest.slice(parts.given.size > 0 ? 0 : 1);
  if (!has(parts, /^-\w*i|^--in-place/)) return shows("-e -f", 1)(command, act);
  for (const path of paths) act({ type: "write", path, append: true });
  return outOf();
};

const packs: Program = ({ values, input }, act) => {
  const [, ...rest] = argumentsOf(values, words("-C -f --file")).rest;
  return rest.length > 0 ? reads(act, rest) : input;
};

export const filePrograms: Readonly<Record<string, Program>> = {
  rm: removes((parts) => has(parts, /^-\w*[rR]|^--recursive$/)),
  trash: removes(() => false),
  rmdir: removes(() => false),
  unlink: removes(() => false),
  del: removes(() => false),
  rimraf: removes(() => true),
  cp: copies(true),
  ln: copies(true),
  install: copies(true),
  mv: copies(false),
  tee: (command, act) => changes(command.values.some(({ text }) => text === "-a" || text === "--append"))(command, act),
  touch: changes(true, "-d -r -t"),
  truncate: changes(false, "-s -r"),
  cat: shows(),
  tac: shows(),
  less: shows(),
  more: shows(),
  bat: shows(),
  head: shows("-n -c"),
  tail: shows("-n -c"),
  strings: shows("-n"),
  xxd: (command, act) =>
    command.values.some(({ text }) => text === "-r")
      ? decoding("hex", /^-r/)(command, act)
      : shows("-l -s -c")(command, act),
  od: shows("-A -t -N"),
  sort: shows("-k -t -o"),
  uniq: shows(),
  wc: shows(),
  cut: shows("-d -f -c"),
  zip: packs,
  tar: packs,
  jq: shows("--arg", 1),
  grep: shows("-e -f -A -B -C -m", 1),
  egrep: shows("-e -f", 1),
  rg: shows("-e -f -g -t", 1),
  awk: shows("-F -v -f", 1),
  sed: edits,
  base64: decoding("base64", /^(-d|-D|-di|--decode)$/),
  base32: decoding("other", /^(-d|--decode)$/),
  openssl: decoding("base64", /^-d$/),
  gunzip: (command, act) => decoding("other", /./)({ ...command, values: [textValue("-d"), ...command.values] }, act),
  zcat: (command, act) => decoding("other", /./)({ ...command, values: [textValue("-d"), ...command.values] }, act),
  gzip: decoding("other", /^-\w*d/),
  rev: ({ input }) => ({ ...reversed(input), from: [...input.from, { type: "decoded" }] }),
  tr: ({ values, input }) =>
    /A-Z/i.test(values[0]?.text ?? "") && /N-Z/i.test(values[1]?.text ?? "")
      ? decodedValue(input, "other")
      : outOf(input),
  echo: prints,
  printf: prints,
  printenv: environment,
  env: environment,
  set: environment,
  export: environment,
  declare: environment,
  compgen: environment,
  kill: kills,
  pkill: kills,
  killall: kills,
  taskkill: kills,
  chmod: changesMode,
  dd: disk,
};
