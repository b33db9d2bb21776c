// How Python comes to code and names in roundabout ways: imports by text, attributes by text, encodings, calls by others.

import { gap, isDisguised, isKnown, nothing, outOf, type Value } from "../value.ts";
import type { Call } from "./evaluate.ts";
import { all, first, type Meaning } from "./meaning.ts";
import { pythonName } from "./python-names.ts";
import { character, decodedValue, formatted, reversed } from "./texts.ts";

const imported: Meaning = (call) => {
  const module = first(call);
  if (!isKnown(module?.text)) return undefined;
  return { name: pythonName(module.text), from: [], ...(isDisguised(module) && { hidden: true }) };
};

const evaluated: Meaning = (call) => {
  const what = first(call);
  if (what) call.act({ type: "run", what, known: isKnown(what.text) });
  if (isKnown(what?.text)) call.act({ type: "block", language: "python", code: what.text });
  return undefined;
};

const attribute: Meaning = ({ values: [of, name, otherwise] }) => {
  if (!isKnown(name?.text) || !of?.name) return outOf(of, otherwise);
  const hidden = of.hidden || isDisguised(name);
  return { name: pythonName(`${of.name}.${name.text}`), receiver: of, from: of.from, ...(hidden && { hidden: true }) };
};

/** `map(chr, [114, 109])` */
function mapped({ values: [target, list], follow }: Call): Value {
  if (!target || !list?.items || list.items.length > 2_000) return outOf(list);
  return { items: list.items.map((item) => follow(target, [item])), from: [] };
}

const byNumbers: Meaning = (call) => {
  const items = first(call)?.items;
  if (!items) return first(call);
  return { text: items.map((item) => character(item).text ?? gap).join(""), from: [{ type: "pieces" }] };
};

/** Somebody else calls it, now or later. */
const passedOn =
  (at: number): Meaning =>
  ({ values, named, follow }) => {
    const target = named.target ?? named.func ?? named.function ?? values[at];
    const given = named.args?.items ?? values[at + 1]?.items ?? values.slice(at + 1);
    return target ? follow(target, given) : undefined;
  };

export const pythonCode: readonly [string, Meaning][] = [
  ...all("__import__ importlib.import_module importlib.__import__", imported),
  ...all("exec eval", evaluated),
  ["compile", (call) => first(call) && { ...first(call)!, name: "code" }],
  ...all("types.FunctionType types.CodeType", (call) => {
    call.act({ type: "run", what: outOf(...call.values), known: false });
    return undefined;
  }),
  ["getattr", attribute],
  ...all("globals locals vars", (call) => ({ name: first(call)?.name ?? "builtins", from: [] })),
  ...all(
    "functools.partial threading.Thread multiprocessing.Process atexit.register asyncio.to_thread asyncio.run_in_executor",
    passedOn(0),
  ),
  ...all("threading.Timer", passedOn(1)),
  ["chr", (call) => character(first(call))],
  ["map", mapped],
  ...all("bytes bytearray", byNumbers),
  ...all("str list sorted set tuple repr dict json.dumps", (call) => first(call) ?? nothing),
  ...all("reversed __reversed__", (call) => reversed(first(call))),
  ["__part__", (call) => outOf(first(call))],
  ["__format__", ({ values: [template, ...values] }) => formatted(template?.text ?? "", values)],
  ...all(
    "base64.b64decode base64.urlsafe_b64decode base64.standard_b64decode binascii.a2b_base64 base64.decodebytes",
    (call) => decodedValue(first(call), "base64"),
  ),
  ...all("bytes.fromhex bytearray.fromhex binascii.unhexlify base64.b16decode", (call) =>
    decodedValue(first(call), "hex"),
  ),
  ...all("zlib.decompress gzip.decompress", (call) => decodedValue(first(call), "zlib")),
  ...all(
    "base64.b32decode base64.b85decode base64.a85decode codecs.decode bz2.decompress lzma.decompress marshal.loads",
    (call) => decodedValue(first(call), "other"),
  ),
];
