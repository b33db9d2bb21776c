// `computer` as code in a JavaScript session sees it: each call goes to the host and comes back as a promise, or as an
// async iterator where the host answers piece by piece. Loaded by the driver when somebody first uses it.

const { inspect } = require("node:util");

const largest = 32 << 20;
const moreAfter = 32; // items of a stream between two signs that there is room for more

/** `send` tells the host something; `currentBlock` is the number of the block that runs, or 0. */
module.exports = function createComputer({ send, currentBlock }) {
  const calls = new Map();
  let numbers = 0;

  function begin(module, name, args) {
    const failure = new Error(); // made here, so that it says who called
    return new Promise((resolve, reject) => {
      if (JSON.stringify(args).length > largest)
        throw new RangeError(`What was passed is too large: ${largest >> 20} MB is the most.`);
      const id = ++numbers;
      const fail = ({ name, message }) => Object.assign(failure, { name, message });
      calls.set(id, { id, block: currentBlock(), fail, resolve, reject });
      send({ op: "call", id, module, name, args, kwargs: {}, cwd: folder() });
    });
  }

  function takeBack(id) {
    if (calls.delete(id)) send({ op: "cancel", id });
  }

  /** What the host sends piece by piece. Leaving the loop early stops its work. */
  function stream(call) {
    const { id } = call;
    const items = [];
    let taken = 0;
    let wake = () => {};
    let ended; // the last command, once it has come
    call.take = (command) => {
      if (command.op === "item") items.push(command.value);
      else ended = command;
      wake();
    };
    const iterator = {
      async next() {
        while (items.length === 0 && !ended) await new Promise((resolve) => (wake = resolve));
        if (items.length > 0) {
          if (++taken % moreAfter === 0) send({ op: "more", id, count: moreAfter });
          return { done: false, value: items.shift() };
        }
        const { error } = ended;
        ended = { value: null };
        if (error) throw call.fail(error);
        return { done: true, value: undefined };
      },
      async return(value) {
        takeBack(id);
        ended = { value: null };
        items.length = 0;
        return { done: true, value };
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }

  /** A name under `computer`, which can be called, and asked for the names under it. */
  function name(module, member) {
    const call = (...args) => begin(module, member ?? "", args);
    call[inspect.custom] = () => `[computer.${member === undefined ? module : `${module}.${member}`}]`;
    return new Proxy(call, {
      get(_, key) {
        if (isNoName(key)) return undefined;
        return member === undefined ? name(module, key) : call[key];
      },
    });
  }

  const about = { [inspect.custom]: () => "[computer: see await computer.help()]" };
  const computer = new Proxy(about, { get: (_, key) => (isNoName(key) ? undefined : name(key)) });

  return {
    computer,
    /** Takes what the host sends. */
    receive(command) {
      const call = calls.get(command.id);
      if (!call) return;
      if (command.op === "note") process.stderr.write(`[${command.text}]\n`);
      else if (command.op === "stream") call.resolve(stream(call));
      else {
        if (command.op === "result") calls.delete(command.id);
        if (call.take) call.take(command);
        else if (command.error) call.reject(call.fail(command.error));
        else call.resolve(command.value);
      }
    },
    /** The block was interrupted: whatever it asked for is not wanted any more. */
    stop(block) {
      for (const call of calls.values()) if (call.block === block) takeBack(call.id);
    },
  };
};

/** What JavaScript itself looks for: neither a promise nor something with a form of its own. */
function isNoName(key) {
  return typeof key === "symbol" || key === "then" || key === "toJSON";
}

function folder() {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
