// How a ZMTP 3 connection begins: both sides greet, then say with READY which kind of socket they are.

export type SocketType = "DEALER" | "SUB";

export const greetingSize = 64;

/** Version 3.0 without encryption: what every ZeroMQ since 4.0 understands. */
export function greeting(): Buffer {
  const bytes = Buffer.alloc(greetingSize);
  bytes[0] = 0xff;
  bytes[9] = 0x7f;
  bytes[10] = 3;
  bytes.write("NULL", 12, "latin1");
  return bytes;
}

/** Why we cannot talk to whoever greeted like this; undefined when we can. */
export function greetingProblem(bytes: Buffer): string | undefined {
  if (bytes[0] !== 0xff || bytes[9] !== 0x7f) return "it does not speak ZeroMQ";
  if (bytes[10]! < 3) return "its ZeroMQ is older than version 4";
  const mechanism = bytes.toString("latin1", 12, 32).replace(/\0+$/, "");
  return mechanism === "NULL" ? undefined : `it wants the security mechanism ${mechanism}`;
}

export function readyCommand(type: SocketType, identity: string): Buffer {
  return Buffer.concat([command("READY"), property("Socket-Type", type), property("Identity", identity)]);
}

/** A command's name and what follows it. */
export function readCommand(body: Buffer): { name: string; rest: Buffer } {
  const size = body[0] ?? 0;
  return { name: body.toString("latin1", 1, 1 + size), rest: body.subarray(1 + size) };
}

/** The answer to a PING: its context, sent back. */
export function pongCommand(ping: Buffer): Buffer {
  return Buffer.concat([command("PONG"), ping.subarray(2)]);
}

function command(name: string): Buffer {
  return Buffer.concat([Buffer.of(name.length), Buffer.from(name, "latin1")]);
}

function property(name: string, value: string): Buffer {
  const bytes = Buffer.from(value, "utf8");
  const size = Buffer.alloc(4);
  size.writeUInt32BE(bytes.length);
  return Buffer.concat([command(name), size, bytes]);
}
