// What --offline does to this process: it connects to nothing but this machine, whatever asked for the connection, and no
// name is looked up. Addresses are refused before with better words; this is what holds when somebody forgot to.

import type { Socket, TcpSocketConnectOpts } from "node:net";
import { InputProblem } from "../settings/index.ts";
import { isThisHost } from "./this-machine.ts";

type Lookup = NonNullable<TcpSocketConnectOpts["lookup"]>;

let done = false;

/** Before another program is made to fetch something: what it does cannot be seen from here. */
export function checkOnline(what: string): void {
  if (done) throw new InputProblem(`--offline is on, so ${what} is not fetched.`, "Do it without --offline.");
}

/** For the rest of this process's life. */
export function stayOnThisMachine(): void {
  if (done) return;
  done = true;
  const { Socket } = process.getBuiltinModule("node:net");
  const connect = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    const options = optionsOf(args);
    // A socket of the file system goes nowhere.
    if (options.path) return connect.apply(this, args);
    const host = options.host ?? "localhost";
    if (isThisHost(host)) {
      options.lookup = lookUpHere;
      return connect.apply(this, args);
    }
    const error = new Error(`--offline is on, and ${host} is not on this machine`);
    process.nextTick(() => this.destroy(Object.assign(error, { code: "EOFFLINE" })));
    return this;
  } as typeof Socket.prototype.connect;
  withoutProxies();
}

interface ConnectOptions {
  port?: number;
  host?: string;
  path?: string | null;
  lookup?: Lookup;
}

/**
 * `connect` takes options, a port with a host, or a path; Node's own callers hand on a list of these that is already put in
 * order. Whatever it is becomes an object of options of our own, in its place.
 */
function optionsOf(args: unknown[]): ConnectOptions {
  const list = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  const first = list[0];
  const isPort = typeof first === "number" || (typeof first === "string" && /^\d+$/.test(first));
  const options: ConnectOptions =
    typeof first === "object" ? { ...first } : isPort ? { port: Number(first) } : { path: String(first) };
  if (isPort && typeof list[1] === "string") options.host = list.splice(1, 1)[0] as string;
  list[0] = options;
  return options;
}

/** The one name there is means both loopback addresses, whatever a resolver would say. */
const lookUpHere: Lookup = (_name, options, answer) => {
  const all = [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ].filter(({ family }) => !options.family || options.family === family || options.family === `IPv${family}`);
  if (options.all) answer(null, all);
  else answer(null, all[0]!.address, all[0]!.family);
};

/** A proxy is another machine, and none is needed to reach this one. Node uses them only where it is told to. */
function withoutProxies(): void {
  const { NODE_USE_ENV_PROXY: told, NODE_OPTIONS = "" } = process.env;
  if (!told && !/--use-env-proxy/.test([NODE_OPTIONS, ...process.execArgv].join(" "))) return;
  process.env.NO_PROXY = "*";
  process.env.no_proxy = "*";
  for (const name of ["node:http", "node:https"] as const) {
    const module = process.getBuiltinModule(name);
    module.globalAgent = new module.Agent({ keepAlive: true });
  }
}
