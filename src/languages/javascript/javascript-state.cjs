// Saves the values of a JavaScript session and brings them back, without calling code of the person's: values are walked by their
// properties, never by getters, proxies or iterators of their own. Loaded by the driver when somebody first asks.

const { createHash } = require("node:crypto");
const { existsSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { builtinModules } = require("node:module");
const { basename, join } = require("node:path");
const { types } = require("node:util");
const v8 = require("node:v8");
const look = require("./javascript-inspect.cjs");

const inline = 1_000; // bytes that are told instead of written to a file
const longest = 400; // milliseconds for all values
const longestBrief = 50;
const own = /^(MessagePort|PipeWrap|TTYWrap|Immediate|TickObject|Worker\w*)$/; // what keeps the driver itself going
const most = 20_000_000; // bytes of all values: they are written by the session itself, which waits meanwhile
const mostNodes = 2_000_000;
const by = `node ${process.version.split(".")[0]}`;
const secret = /(password|passwd|passphrase|secret|credential|(api|access|private|auth)_?key|(^|_)(token|pwd))s?$/i;

class Unkept extends Error {}

const typedArray = Object.getPrototypeOf(Uint8Array);
const asTheyAre = [Date, RegExp, ArrayBuffer, DataView, Number, String, Boolean, BigInt];
const errors = [Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError];

// --- saving -----------------------------------------------------------------------------------------------------------

/**
 * `made` has, by name, the text of functions and classes that their source makes again; `imported` the names of imports. What is
 * kept only until the next block is `brief`: secrets too, and nobody waits long for it.
 */
exports.save = ({ folder, most: room, made, imported, environment, cwd, brief }, before) => {
  const walk = new Walk(made, imported, before, room.value, brief);
  const names = [];
  const kept = [];
  const defined = [];
  for (const name of namesMade(before)) {
    const entry = { name, type: look.typeOf(valueNow(name)), size: look.sizeOf(valueNow(name)) };
    names.push(entry);
    if (imported.includes(name)) entry.type = "module";
    else if (walk.isDefined(name)) defined.push(name);
    else {
      try {
        kept.push({ entry, ...walk.value(name) });
      } catch (error) {
        entry.gone = error instanceof Unkept ? error.message : "cannot be saved";
      }
    }
  }
  kept.sort((a, b) => a.bytes - b.bytes);
  let total = 0;
  const values = {};
  for (const { entry, node, bytes } of kept) {
    total += bytes;
    if (total > Math.min(room.total, most))
      entry.gone = `too big: ${megabytes(bytes)}, and the room for saved values is used up`;
    else values[entry.name] = node;
  }
  const data = v8.serialize(values);
  const stored = put(data, folder);
  const variables = Object.entries(process.env).filter(([name, value]) => environment[name] !== value);
  const hidden = brief ? [] : variables.filter(([name]) => /pass|secret|token|key|credential|auth/i.test(name));
  for (const [name] of hidden) names.push({ name, type: "environment variable", gone: "secrets are not saved" });
  return {
    by,
    names,
    bytes: data.length,
    files: stored.file ? { [stored.file]: stored.sha256 } : {},
    details: {
      ...stored,
      defined,
      ...(brief && { active: process.getActiveResourcesInfo().filter((each) => !own.test(each)) }),
      environment: Object.fromEntries(variables.filter((each) => !hidden.includes(each))),
      ...(process.cwd() !== cwd && { cwd: process.cwd() }),
    },
  };
};

function namesMade(before) {
  return Object.getOwnPropertyNames(globalThis).filter(
    (name) => !before.has(name) && !(name.endsWith("$") && before.has(name.slice(0, -1))),
  );
}

const valueNow = (name) => Object.getOwnPropertyDescriptor(globalThis, name)?.value;

function put(data, folder) {
  if (data.length <= inline) return { data: data.toString("base64") };
  const sha256 = createHash("sha256").update(data).digest("hex");
  const file = `${sha256.slice(0, 40)}.value`;
  const path = join(folder, file);
  if (!existsSync(path)) {
    writeFileSync(`${path}.${process.pid}.new`, data, { mode: 0o600 });
    renameSync(`${path}.${process.pid}.new`, path);
  }
  return { file, sha256 };
}

/** Turns values into nodes that can be written, the same value into the same node. */
class Walk {
  #nodes = new Map();
  #made;
  #brief;
  #until;
  #count = 0;
  #bytes = 0;
  #most;
  #known = new Map(); // functions and classes that will be there, by what they are
  #failed = new Map();

  constructor(made, imported, before, mostOfValue, brief) {
    this.#made = made;
    this.#brief = brief;
    this.#until = performance.now() + (brief ? longestBrief : longest);
    this.#most = mostOfValue;
    for (const name of before) {
      const value = valueNow(name);
      if (typeof value === "function" || (typeof value === "object" && value !== null)) this.#known.set(value, name);
    }
    for (const name of namesMade(before))
      if (imported.includes(name) || this.isDefined(name)) this.#known.set(valueNow(name), name);
    const loaded = new Set(process.moduleLoadList);
    for (const name of builtinModules) {
      // Loading one that nobody has used would take its time, and may complain.
      const module = loaded.has(`NativeModule ${name}`) ? process.getBuiltinModule(name) : undefined;
      if (module && !this.#known.has(module)) this.#known.set(module, `node:${name}`);
    }
  }

  isDefined(name) {
    const value = valueNow(name);
    return typeof value === "function" && this.#made[name] === Function.prototype.toString.call(value);
  }

  value(name) {
    const value = valueNow(name);
    if (!("value" in Object.getOwnPropertyDescriptor(globalThis, name))) throw new Unkept("cannot be saved");
    if (!this.#brief && typeof value === "string" && secret.test(name)) throw new Unkept("secrets are not saved");
    this.#bytes = 0;
    const fresh = [];
    try {
      return { node: this.#node(value, fresh), bytes: this.#bytes };
    } catch (error) {
      // What hangs on it is only half there.
      for (const each of fresh) {
        this.#nodes.delete(each);
        if (each === value) this.#failed.set(each, error);
      }
      throw error instanceof RangeError ? new Unkept("it is nested too deeply to be saved") : error;
    }
  }

  #node(value, fresh) {
    if (typeof value === "symbol") throw new Unkept("cannot be saved");
    if (typeof value === "string") this.#grow(value.length * 2);
    if (typeof value !== "object" && typeof value !== "function") return { as: "is", value };
    if (value === null) return { as: "is", value };
    const name = this.#known.get(value);
    if (name !== undefined) return { as: "known", name };
    if (types.isProxy(value) || typeof value === "function") throw new Unkept("cannot be saved");
    if (this.#failed.has(value)) throw this.#failed.get(value);
    const seen = this.#nodes.get(value);
    if (seen) return seen;
    this.#grow(16);
    const node = {};
    this.#nodes.set(value, node);
    fresh.push(value);
    return Object.assign(node, this.#parts(value, fresh));
  }

  #parts(value, fresh) {
    const inside = (each) => this.#node(each, fresh);
    const shape = Object.getPrototypeOf(value);
    if (Array.isArray(value) && shape === Array.prototype)
      return { as: "array", values: Array.from({ length: value.length }, (_, at) => inside(value[at])) };
    if (shape === Map.prototype)
      return { as: "map", values: Array.from(Map.prototype.entries.call(value), (pair) => pair.map(inside)) };
    if (shape === Set.prototype) return { as: "set", values: Array.from(Set.prototype.values.call(value), inside) };
    if (
      types.isTypedArray(value) &&
      (shape === Buffer.prototype || Object.getPrototypeOf(shape) === typedArray.prototype)
    ) {
      this.#grow(value.byteLength);
      return { as: "is", value };
    }
    if (asTheyAre.some((kind) => shape === kind.prototype) || errors.some((kind) => shape === kind.prototype))
      return { as: "is", value };
    const owned = Object.getOwnPropertyDescriptors(value);
    if (Reflect.ownKeys(owned).some((key) => typeof key === "symbol" || !("value" in owned[key])))
      throw new Unkept("cannot be saved");
    const values = Object.entries(owned).map(([key, { value: each }]) => [key, inside(each)]);
    if (shape === Object.prototype) return { as: "object", values };
    if (shape === null) return { as: "bare", values };
    const kind = Object.getOwnPropertyDescriptor(shape, "constructor")?.value;
    const name = this.#known.get(kind);
    if (typeof kind !== "function" || !(name in this.#made) || kind.prototype !== shape)
      throw new Unkept("cannot be saved");
    for (let at = kind; typeof at === "function" && this.#known.has(at); at = Object.getPrototypeOf(at))
      if (/#[\p{ID_Start}$_]/u.test(this.#made[this.#known.get(at)] ?? ""))
        throw new Unkept("its private fields cannot be saved");
    return { as: "instance", of: name, values };
  }

  #grow(bytes) {
    this.#bytes += bytes;
    if (this.#bytes > this.#most) throw new Unkept(`too big: more than ${megabytes(this.#most)}`);
    if (++this.#count > mostNodes) throw new Unkept("too big");
    if (this.#count % 1_000 === 0 && performance.now() > this.#until) throw new Unkept("saving it took too long");
  }
}

const megabytes = (size) => (size >= 1e6 ? `${Math.round(size / 1e6)} MB` : `${Math.round(size / 1e3)} kB`);

// --- bringing back ----------------------------------------------------------------------------------------------------

exports.restore = ({ folder, by: saved, details, names }, define) => {
  if (saved !== by) return { problem: `They were saved by ${saved}, and this is ${by}.` };
  const notes = [];
  Object.assign(process.env, details.environment);
  try {
    if (details.cwd) process.chdir(details.cwd);
  } catch {
    notes.push(`The folder ${details.cwd} is not there any more; it starts in ${process.cwd()}.`);
  }
  const data =
    details.data === undefined
      ? readChecked(join(folder, basename(details.file)), details.sha256)
      : Buffer.from(details.data, "base64");
  const gone = [];
  const back = [];
  const nodes = data && v8.deserialize(data);
  const made = new Map();
  for (const { name, gone: lost, type } of names) {
    if (lost !== undefined) continue;
    if (type === "module" || details.defined.includes(name)) {
      if (valueNow(name) === undefined) gone.push({ name, gone: "its source could not be run" });
      else back.push(name);
    } else if (!nodes) gone.push({ name, gone: "the file with the values is damaged" });
    else {
      try {
        define(name, read(nodes[name], made));
        back.push(name);
      } catch (error) {
        gone.push({ name, gone: `it could not be read: ${error.message}` });
      }
    }
  }
  return { back, gone, older: [], notes };
};

function readChecked(path, sha256) {
  try {
    const data = readFileSync(path);
    return createHash("sha256").update(data).digest("hex") === sha256 ? data : undefined;
  } catch {
    return undefined;
  }
}

function read(node, made) {
  if (node.as === "is") return node.value;
  if (node.as === "known") return known(node.name);
  if (made.has(node)) return made.get(node);
  const value = empty(node);
  made.set(node, value);
  if (node.as === "map") for (const [key, each] of node.values) value.set(read(key, made), read(each, made));
  else if (node.as === "set") for (const each of node.values) value.add(read(each, made));
  else if (node.as === "array")
    for (const [at, each] of node.values.entries()) Object.defineProperty(value, at, plain(read(each, made)));
  else for (const [key, each] of node.values) Object.defineProperty(value, key, plain(read(each, made)));
  return value;
}

const plain = (value) => ({ value, writable: true, enumerable: true, configurable: true });

function empty({ as, of }) {
  if (as === "map") return new Map();
  if (as === "set") return new Set();
  if (as === "array") return [];
  return Object.create(as === "bare" ? null : as === "object" ? Object.prototype : known(of).prototype);
}

function known(name) {
  const value = name.startsWith("node:") ? process.getBuiltinModule(name) : globalThis[name];
  if (value === undefined) throw new Error(`${name} is not there`);
  return value;
}
