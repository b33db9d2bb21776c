// Runs blocks of JavaScript inside a Node process of its own and tells the host what happens.
//
// Commands come on descriptor 3 and events go out on descriptor 4, one JSON object a line. Stdout and stderr stay
// descriptors 1 and 2. An event that must keep its place in the output carries a mark: the same mark is written to both
// streams first. The host has rewritten each block so that its top level lives in global properties; a thread of ours
// reads the commands (`javascript-listener.cjs`).

import { writeSync } from "node:fs";
import { createRequire, Module, SourceMap } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect, types } from "node:util";
import vm from "node:vm";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";

const driver = import.meta.url;
const ours = /[\\/]javascript-(driver\.mjs|(computer|hosts|inspect|move|rename|state)\.cjs)$/;
const longestText = 1_000_000;
const runningCell = 0; // number of the block that runs, or 0
const lockCell = 1; // 1: we are telling the host something; 2: the listener is stopping the block
const answersCell = 2; // how many answers have come
const stoppedCell = 3; // number of the last block that was interrupted
const cells = new Int32Array(new SharedArrayBuffer(16));
const answers = new MessageChannel();
const forever = new Promise(() => {});

let nonce = "";
let marks = 0;
let asked = 0;
let ended = 0;
let running; // the block that runs now
let stopping; // the block that was interrupted
let showing = []; // values still being shown
let bridge; // carries calls of `computer` to the host, once there has been one
const nearby = createRequire(driver);
const hosts = nearby("./javascript-hosts.cjs");
const blocks = new Map(); // what is needed to find a place in a block's own source, by block name

// --- telling the host -----------------------------------------------------------------------------------------------

function writeAll(fd, data) {
  for (let at = 0; at < data.length; ) {
    try {
      at += writeSync(fd, data, at);
    } catch (error) {
      if (error.code === "EAGAIN") continue;
      process.kill(process.pid, "SIGKILL"); // the host cannot be reached any more
    }
  }
}

/** Sends one event; with `place`, it keeps its place between the lines printed before and after it. */
function send(event, place = false) {
  // The block may be cut off at any moment, but not in here: the listener asks for it only while it has the lock.
  while (Atomics.compareExchange(cells, lockCell, 0, 1) === 2);
  for (let i = 0; i < 2; i++); // a stop that was asked for before we had the lock strikes here
  if (place) {
    event.mark = ++marks;
    const mark = Buffer.from(`\x1e${nonce}:${marks}\x1e`);
    writeAll(1, mark);
    writeAll(2, mark);
  }
  if (event.op === "end") Atomics.store(cells, runningCell, 0); // before the host can send the next
  // It begins on a line of its own, whatever else was written to our descriptor.
  writeAll(4, Buffer.from(`\n${JSON.stringify(event)}\n`));
  Atomics.store(cells, lockCell, 0);
  // A block that does nothing but tell things leaves the listener no moment to stop it.
  if (running && running.id === cells[stoppedCell]) Atomics.wait(cells, lockCell, 0, 50);
}

/**
 * What is printed leaves at once, before the marks that follow it. A stream of Node's would also keep state between
 * its calls, and never print again after a block was cut off in the middle of one.
 */
function writeAtOnce(stream, fd) {
  const { write } = stream;
  let waiting;
  stream._handle?.setBlocking?.(true);
  stream.write = (chunk, encoding, callback) => {
    const done = typeof encoding === "function" ? encoding : callback;
    if (typeof chunk === "string") writeAll(fd, Buffer.from(chunk, typeof encoding === "string" ? encoding : "utf8"));
    else if (chunk instanceof Uint8Array) writeAll(fd, chunk);
    else return write.call(stream, chunk); // to fail as it always does
    if (done && waiting?.done === done) waiting.times++;
    else if (done) {
      const mine = { done, times: 1 };
      process.nextTick(() => {
        if (waiting === mine) waiting = undefined;
        while (mine.times-- > 0) done(null);
      });
      waiting = mine;
    }
    return true;
  };
}

function end(block, status) {
  running = stopping = undefined;
  send({ op: "end", id: block.id, status, hosts: hosts.take() }, true);
  ended = block.id;
}

// --- asking the person ----------------------------------------------------------------------------------------------

function ask(prompt) {
  if (!running) throw nobody();
  const id = ++asked;
  send({ op: "ask", id, prompt: String(prompt) }, true);
  for (;;) {
    const seen = Atomics.load(cells, answersCell);
    const received = receiveMessageOnPort(answers.port1);
    if (!received) Atomics.wait(cells, answersCell, seen);
    else if (received.message.id === id) {
      if (received.message.text === null) throw nobody();
      return received.message.text;
    }
  }
}

function nobody() {
  return new Error("input was asked for, but nobody is here to answer. Put the value into the code instead.");
}

// --- showing values and errors --------------------------------------------------------------------------------------

function textOf(value) {
  const text = inspect(value, { depth: 4, maxArrayLength: 100, maxStringLength: 10_000, breakLength: 100 });
  if (text.length <= longestText) return text;
  const half = longestText / 2;
  return `${text.slice(0, half)}\n… ${text.length - longestText} characters left out …\n${text.slice(-half)}`;
}

/** Every representation the value offers, by MIME type. */
async function bundleOf(value) {
  const own = await value[Symbol.for("Jupyter.display")]();
  const bundle = {};
  for (const [mime, made] of Object.entries(own ?? {})) {
    bundle[mime] = made instanceof Uint8Array ? Buffer.from(made).toString("base64") : made;
  }
  bundle["text/plain"] ??= textOf(value);
  return bundle;
}

function show(value) {
  if (typeof value?.[Symbol.for("Jupyter.display")] !== "function") {
    send({ op: "display", bundle: { "text/plain": textOf(value) } }, true);
    return;
  }
  showing.push(bundleOf(value).then((bundle) => send({ op: "display", bundle }, true)));
}

function report(error) {
  session._error = error;
  const known = types.isNativeError(error) || error instanceof Error;
  const name = known ? String(error.name) : "Uncaught";
  const message = known ? String(error.message) : textOf(error);
  const traceback = known ? textOf(error) : `Uncaught ${message}`;
  send({ op: "error", name, message, traceback }, true);
}

/** Something in the background failed: said on stderr, and the session goes on. */
function complain(error) {
  process.stderr.write(`Uncaught ${textOf(error)}\n`);
}

// --- places in the block's own source -------------------------------------------------------------------------------

/** The column in the person's source, for a column in what the host made of it. */
function columnInSource(block, line, column) {
  const shift = (block.shifts[line] ?? []).findLast(([from]) => from < column);
  const before = shift ? column - shift[1] : column;
  if (!block.map) return before;
  block.places ??= new SourceMap({ version: 3, sources: [""], names: [], mappings: block.map });
  return (block.places.findEntry(line - 1, before - 1).originalColumn ?? before - 1) + 1;
}

Error.prepareStackTrace = (error, frames) => {
  const fileOf = (frame) => frame?.getFileName() ?? "";
  const outside = frames.findIndex((frame) => fileOf(frame) === driver && frame.getFunctionName() === "evaluate");
  const lines = (outside === -1 ? frames : frames.slice(0, outside))
    .filter((frame) => !ours.test(fileOf(frame)) && !/^node:(internal\/|vm$)/.test(fileOf(frame)))
    .map((frame) => {
      const block = blocks.get(fileOf(frame));
      if (!block) return `\n    at ${frame}`;
      const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
      const place = `${fileOf(frame)}:${line}:`;
      return `\n    at ${frame}`.replace(place + column, () => place + columnInSource(block, line, column));
    });
  const code = typeof error?.code === "string" && error.code.startsWith("ERR_") ? ` [${error.code}]` : "";
  const head = code ? `${error.name}${code}: ${error.message}` : Error.prototype.toString.call(error);
  return head + lines.join("");
};

// --- what blocks find in their world --------------------------------------------------------------------------------

const here = () => join(process.cwd(), "session");
const perFolder = (make) => {
  const made = new Map();
  return () => {
    const file = here();
    if (!made.has(file)) made.set(file, make(file));
    return made.get(file);
  };
};

// A module that is in no file, so that import() has a folder to start from.
const importer = perFolder((filename) => {
  const module = new Module(filename);
  module._compile("module.exports = (specifier, options) => import(specifier, options)", filename);
  return module.exports;
});

const sessionModule = new Module("session");
const requirer = perFolder((filename) => Object.assign(createRequire(filename), { main: sessionModule }));

/** What the host writes in place of `import`: blocks resolve from the working folder. */
async function load(specifier, options) {
  return importer()(specifier, options);
}

/** The values of the named exports, for an import statement. */
load.names = async (specifier, names, lenient, options) => {
  const found = await load(specifier, options);
  return names.map((name) => {
    if (name === "*" || name in found) return name === "*" ? found : found[name];
    if (Object(found.default) === found.default && name in found.default) return found.default[name];
    if (lenient) return undefined; // in TypeScript it may be a type
    throw new SyntaxError(`The requested module '${specifier}' does not provide an export named '${name}'`);
  });
};

load.meta = {
  get url() {
    return pathToFileURL(here()).href;
  },
  get filename() {
    return here();
  },
  get dirname() {
    return process.cwd();
  },
  main: true,
  resolve(specifier) {
    const path = requirer().resolve(specifier);
    return path.startsWith("/") || /^[A-Za-z]:\\/.test(path)
      ? pathToFileURL(path).href
      : `node:${path.replace(/^node:/, "")}`;
  },
};

load.line = (line) => {
  if (!running) return;
  running.line = line;
  send({ op: "line", line });
};

/** Stands around what a block awaits: once the block was interrupted, nothing that awaits goes on. */
load.wait = (value) => {
  const block = running;
  if (!block) return value;
  const isStopped = () => block.stopped || cells[stoppedCell] === block.id;
  if (typeof value?.then !== "function") return isStopped() ? forever : value;
  return Promise.resolve(value).then(
    (result) => (isStopped() ? forever : result),
    (error) => (isStopped() ? forever : Promise.reject(error)),
  );
};

/** The same for `for await`. */
load.each = (source) => {
  const inner = source[Symbol.asyncIterator]?.() ?? source[Symbol.iterator]();
  const outer = { next: () => load.wait(inner.next()), [Symbol.asyncIterator]: () => outer };
  if (inner.return) outer.return = (value) => inner.return(value);
  if (source[Symbol.asyncIterator]) return outer;
  outer.next = async () => {
    const { done, value } = inner.next();
    return { done, value: await load.wait(value) };
  };
  return outer;
};

const session = { _: undefined, _error: undefined };

/** A global that a block may replace by simply assigning to it. */
function offer(name, get) {
  const set = (value) => define(name, value);
  Object.defineProperty(globalThis, name, { get, set, configurable: true, enumerable: false });
}

function define(name, value) {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
}

function computerBridge() {
  bridge ??= nearby("./javascript-computer.cjs")({ send, currentBlock: () => running?.id ?? 0 });
  return bridge;
}

/** Answers a question about the session, beside the blocks. */
function reply(command, before) {
  const look = nearby("./javascript-inspect.cjs");
  let value = null;
  try {
    value = command.op === "inspect" ? look.variables(before) : look.complete(command.code, command.cursor);
  } catch {}
  send({ op: "reply", id: command.id, value });
}

/** Saves what is in the session, or brings it back: between blocks only. */
function answerState(command, before) {
  const reply = (value) => send({ op: "reply", id: command.id, value });
  if (running) return reply({ problem: "JavaScript is running a block. Look again when it is done.", busy: true });
  try {
    const state = nearby("./javascript-state.cjs");
    reply(command.do === "save" ? state.save(command, before) : state.restore(command, define));
  } catch (error) {
    reply({ problem: String(error?.message ?? error) });
  }
}

function furnish() {
  sessionModule.filename = here();
  sessionModule.paths = Module._nodeModulePaths(process.cwd());
  Object.defineProperty(globalThis, "__load", { value: load });
  offer("require", requirer);
  offer("module", () => sessionModule);
  offer("exports", () => sessionModule.exports);
  offer("__filename", here);
  offer("__dirname", () => process.cwd());
  offer("_", () => session._);
  offer("_error", () => session._error);
  const display = (...values) => values.forEach(show);
  const prompt = (text = "") => ask(text);
  const confirm = (text = "") => /^\s*(y|yes)\s*$/i.test(ask(`${text} [y/N] `));
  for (const [name, value] of Object.entries({ display, prompt, confirm })) offer(name, () => value);
  offer("computer", () => computerBridge().computer);
  process.argv = [process.execPath, here()];
  process.execArgv = [];
}

// --- running blocks -------------------------------------------------------------------------------------------------

function evaluate(name, unit) {
  for (const known of unit.declare) if (!(known in globalThis)) define(known, undefined);
  for (const builtin of unit.shadows) if (!(`${builtin}$` in globalThis)) define(`${builtin}$`, globalThis[builtin]);
  if (unit.functions) new vm.Script(unit.functions, { filename: name }).runInThisContext();
  const script = new vm.Script(unit.code, { filename: name, columnOffset: -unit.indent });
  const made = script.runInThisContext({ displayErrors: false });
  return unit.wrapped ? made() : made;
}

async function run({ id, code, name }) {
  const block = { id, line: 0, stopped: false };
  running = block;
  showing = [];
  try {
    const unit = JSON.parse(code);
    blocks.set(name, { shifts: unit.shifts, map: unit.map });
    load.line(unit.line);
    let value = evaluate(name, unit);
    // A promise at the end is waited for: what it still prints belongs to this block.
    if (unit.waits && types.isPromise(value)) value = await value;
    if (running !== block) return;
    if (unit.shows && value !== undefined) {
      session._ = value;
      show(value);
    }
    while (showing.length > 0) await showing.shift();
    if (running === block) end(block, "ok");
  } catch (error) {
    // A child that fell to the interrupt ends the block a moment before the interrupt itself arrives.
    if (error?.signal === "SIGINT" || error?.status === 130) await new Promise((resolve) => setTimeout(resolve, 50));
    if (running !== block) return;
    report(error);
    end(block, "error");
  }
}

/** The block is over for the host, whatever the code in it still does. May come more than once. */
function stop(id) {
  if (ended >= id) return;
  const block = running ?? stopping ?? { id, line: 0 };
  running = undefined;
  stopping = block;
  block.stopped = true;
  bridge?.stop(id);
  if (!block.reported) {
    const message = block.line
      ? `the block was stopped in the statement on line ${block.line}`
      : "the block was stopped";
    send({ op: "error", name: "Interrupted", message, traceback: `Interrupted: ${message}` }, true);
    block.reported = true;
  }
  end(block, "interrupted");
}

// --- hearing the host -----------------------------------------------------------------------------------------------

function main() {
  const given = { cells, answers: answers.port2, runningCell, lockCell, answersCell, stoppedCell };
  const listener = new Worker(new URL("./javascript-listener.cjs", driver), {
    env: {},
    execArgv: [],
    workerData: given,
    transferList: [answers.port2],
  });
  listener.on("message", (command) => {
    if (command.op === "run") void run(command);
    else if (command.op === "interrupt") stop(command.id);
    else if (command.nonce !== undefined) nonce = command.nonce;
    else if (command.op === "inspect" || command.op === "complete") reply(command, furniture);
    else if (command.op === "state") answerState(command, furniture);
    else bridge?.receive(command);
  });
  listener.on("error", complain);
  listener.on("exit", () => process.kill(process.pid, "SIGKILL"));
  process.on("SIGINT", () => {}); // for the children; we are told by the host
  send({ op: "ready", version: process.version });
  process.on("uncaughtException", complain);
  process.on("unhandledRejection", complain);
  if (process.env._OI_LAYER === "1") nearby("./javascript-rename.cjs").allow();
  hosts.watch();
  furnish();
  const furniture = new Set(Object.getOwnPropertyNames(globalThis));
  writeAtOnce(process.stdout, 1);
  writeAtOnce(process.stderr, 2);
  // Node's own console reports to the debugger as well: slower, and an interrupt can get lost in there.
  const plain = new console.Console({ stdout: process.stdout, stderr: process.stderr });
  for (const name of Object.keys(console)) if (typeof plain[name] === "function") console[name] = plain[name];
}

main();
