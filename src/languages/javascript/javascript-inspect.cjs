// Says which names a JavaScript session has and how a half-written one could go on, without calling getters or proxies of
// the person's. Loaded by the driver when somebody first asks.

const { inspect, types } = require("node:util");

const longest = 100;
const most = 1_000;
const keywords =
  "async await break case catch class const continue default delete do else export extends false finally for function if import in instanceof let new null of return static super switch this throw true try typeof undefined var void while yield".split(
    " ",
  );

/** The names that blocks have made: what is global now and was not at the start. */
exports.variables = (before) => {
  const made = Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name) && !name.endsWith("$"));
  return made.slice(0, most).map((name) => {
    const { value, get } = Object.getOwnPropertyDescriptor(globalThis, name);
    if (get) return { name, type: "accessor" };
    return { name, type: typeOf(value), size: sizeOf(value), preview: previewOf(value) };
  });
};

exports.typeOf = typeOf;
exports.sizeOf = sizeOf;

function typeOf(value) {
  if (value === null) return "null";
  if (types.isProxy(value)) return "Proxy";
  if (typeof value === "function")
    return /^class\b/.test(Function.prototype.toString.call(value)) ? "class" : "function";
  if (typeof value !== "object") return typeof value;
  const maker = plainValue(Object.getPrototypeOf(value), "constructor");
  return typeof maker === "function" && !types.isProxy(maker)
    ? String(plainValue(maker, "name") || "object")
    : "object";
}

function sizeOf(value) {
  if (typeof value === "string") return String(value.length);
  if (typeof value !== "object" || value === null || types.isProxy(value)) return undefined;
  if (Array.isArray(value)) return String(value.length);
  if (types.isTypedArray(value)) return String(value.length);
  if (types.isAnyArrayBuffer(value)) return String(value.byteLength);
  if (types.isMap(value)) return String(Reflect.get(Map.prototype, "size", value));
  if (types.isSet(value)) return String(Reflect.get(Set.prototype, "size", value));
  return undefined;
}

function previewOf(value) {
  if (typeof value === "function") return undefined;
  try {
    return inspect(value, {
      depth: 1,
      maxArrayLength: 5,
      maxStringLength: longest,
      breakLength: Number.POSITIVE_INFINITY,
      compact: true,
      customInspect: false,
      getters: false,
      showProxy: true,
    }).slice(0, longest * 2);
  } catch {
    return undefined;
  }
}

/** The value of a property that is one; undefined for what would have to be computed. */
function plainValue(object, name) {
  for (let at = object; at !== null && at !== undefined && !types.isProxy(at); at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(Object(at), name);
    if (found) return found.value;
  }
  return undefined;
}

exports.complete = (code, cursor) => {
  const before = code.slice(0, cursor);
  const path = /(?:[\p{ID_Start}$_][\p{ID_Continue}$]*\??\.)*[\p{ID_Continue}$]*$/u.exec(before)[0].split(/\??\./);
  const prefix = path.pop();
  const names =
    path.length === 0 ? [...namesOf(globalThis), ...keywords] : namesOf(path.reduce(plainValue, globalThis));
  const matches = [...new Set(names)].filter(
    (name) => name.startsWith(prefix) && /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name),
  );
  return { matches: matches.sort(), start: cursor - prefix.length, end: cursor };
};

function namesOf(value) {
  const names = [];
  let at = value === null || value === undefined ? null : Object(value);
  for (; at !== null && !types.isProxy(at) && names.length < 5_000; at = Object.getPrototypeOf(at)) {
    names.push(...Object.getOwnPropertyNames(at));
  }
  return names;
}
