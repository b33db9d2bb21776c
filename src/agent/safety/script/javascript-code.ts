// How JavaScript comes to code and names in roundabout ways: modules by text, `eval` and its like, encodings, callbacks.

import { gap, isDisguised, isKnown, joined, outOf, sourcesOf, type Value } from "../value.ts";
import type { Call } from "./evaluate.ts";
import { javascriptThing } from "./javascript-names.ts";
import { all, type Meaning } from "./meaning.ts";
import { character, decodedValue } from "./texts.ts";

const loaded: Meaning = ({ values: [module], act }) => {
  if (isKnown(module?.text)) return { ...javascriptThing(module.text), ...(isDisguised(module) && { hidden: true }) };
  if (module) act({ type: "run", what: module, known: false });
  return undefined;
};

const evaluated: Meaning = ({ name, values, act }) => {
  const what = name === "Function" ? values.at(-1) : values[0];
  if (what) act({ type: "run", what, known: isKnown(what.text) });
  if (!isKnown(what?.text)) return undefined;
  act({
    type: "block",
    language: "javascript",
    code: name === "Function" ? `async () => {${what.text}\n}` : what.text,
  });
  const given = /^\s*return\s+(this|process|globalThis|global|require)\s*;?\s*$/.exec(what.text)?.[1];
  return given ? javascriptThing(given === "this" ? "globalThis" : given) : undefined;
};

/** Text where a function belongs is run. */
const later: Meaning = (call) =>
  call.values[0]?.text === undefined ? undefined : evaluated({ ...call, name: "eval" });

const worker: Meaning = (call) => (call.values[1]?.fields?.get("eval")?.name === "true" ? evaluated(call) : undefined);

const bytes: Meaning = ({ values: [what, how] }) => {
  if (what?.items)
    return { text: what.items.map((item) => character(item).text ?? gap).join(""), from: [{ type: "pieces" }] };
  if (/^base64(url)?$/.test(how?.text ?? "")) return decodedValue(what, "base64");
  return how?.text === "hex" ? decodedValue(what, "hex") : what;
};

export const javascriptCode: readonly [string, Meaning][] = [
  ...all("require import module.require process.mainModule.require module.createRequire()", loaded),
  ...all(
    "eval Function vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script vm.compileFunction",
    evaluated,
  ),
  // What `Function("return process")` gives is called, and gives that.
  ...all("process globalThis", ({ name }) => javascriptThing(name)),
  ...all("setTimeout setInterval", later),
  ["worker_threads.Worker", worker],
  ["Reflect.apply", ({ values: [target, , given], follow }) => target && follow(target, given?.items ?? [])],
  ...all("util.promisify util.callbackify", ({ values: [target] }) => target),
  ["atob", ({ values }) => decodedValue(values[0], "base64")],
  ["Buffer.from", bytes],
  ...all("zlib.gunzip zlib.inflate zlib.unzip zlib.brotliDecompress", ({ values }) => decodedValue(values[0], "zlib")),
  ...all("String.fromCharCode String.fromCodePoint", ({ values }) =>
    joined((values[0]?.items ?? values).map(character)),
  ),
  ...all(
    "JSON.stringify JSON.parse String unescape decodeURIComponent encodeURIComponent Object.entries Object.keys Object.values Object.assign",
    ({ values }) => ({ ...(values[0]?.text !== undefined && { text: values[0].text }), from: sourcesOf(...values) }),
  ),
];

/** Somebody else calls what is given: with what it was called on. */
export function followed({ receiver, values, follow, name }: Call): Value {
  const target = values.find(({ made }) => made) ?? values.at(-1);
  if (!target || (!target.made && !target.name)) return outOf(receiver);
  const items = /\.(forEach|map)$/.test(name) ? receiver.items : undefined;
  const given = items && items.length <= 200 ? items : [receiver];
  const results = given.map((item) => follow(target, [item]));
  return items ? { items: results, from: [] } : (results[0] ?? outOf(receiver));
}
