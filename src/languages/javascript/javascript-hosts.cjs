// Notes which hosts code reaches, by the names it looked up or by their addresses.

const { subscribe } = require("node:diagnostics_channel");
const net = require("node:net");

const reached = new Map(); // since the last block ended: by name or address, the addresses of it
const mostReached = 100;
const isHere = (host) => /^(::ffff:)?(127\.|localhost$|0\.0\.0\.0$)|^(::1?)?$|\.localhost$/.test(host);

function reach(host) {
  const name = String(host ?? "").replace(/%.*/, "");
  if (isHere(name) || (!reached.has(name) && reached.size >= mostReached)) return undefined;
  if (!reached.has(name)) reached.set(name, new Set());
  return reached.get(name);
}

/** What was reached since this was last asked; undefined for nothing. */
exports.take = () => {
  if (reached.size === 0) return undefined;
  const told = Object.fromEntries([...reached].map(([name, addresses]) => [name, [...addresses]]));
  reached.clear();
  return told;
};

/** Every connection of this thread begins here, those of `fetch` and of TLS too. */
exports.watch = () => {
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (...args) {
    const made = Reflect.apply(connect, this, args);
    const [{ path, host = "localhost" }] = Array.isArray(args[0]) ? args[0] : net._normalizeArgs(args);
    const addresses = path ? undefined : reach(host);
    if (addresses) this.on("lookup", (_, address) => address && addresses.add(address));
    return made;
  };
  subscribe("udp.socket", ({ socket }) => {
    const { send: theirs } = socket;
    socket.send = function (...args) {
      // The address comes after the port, wherever that is.
      reach(args.find((each, at) => at > 0 && typeof each === "string"));
      return Reflect.apply(theirs, this, args);
    };
  });
};
