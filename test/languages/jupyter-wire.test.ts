import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newMessage } from "../../src/languages/jupyter/message.ts";
import { fromParts, toParts } from "../../src/languages/jupyter/signed-parts.ts";
import { fromSocketFrame, toSocketFrame } from "../../src/languages/jupyter/socket-frames.ts";
import { ByteReader, encodeMessage, readFrame } from "../../src/languages/jupyter/zmtp/frames.ts";

describe("ZeroMQ frames", () => {
  test("arrive as they were sent, however the bytes are cut", () => {
    const part = fc.uint8Array({ maxLength: 600 });
    fc.assert(
      fc.property(
        fc.array(fc.array(part, { minLength: 1, maxLength: 4 })),
        fc.integer({ min: 1, max: 700 }),
        (messages, cut) => {
          const sent = messages.map((parts) => parts.map((bytes) => Buffer.from(bytes)));
          const bytes = Buffer.concat(sent.map(encodeMessage));
          const reader = new ByteReader();
          const received: Buffer[][] = [[]];
          for (let at = 0; at < bytes.length; at += cut) {
            reader.push(bytes.subarray(at, at + cut));
            for (let frame = readFrame(reader); frame; frame = readFrame(reader)) {
              received.at(-1)!.push(frame.body);
              if (!frame.more) received.push([]);
            }
          }
          expect(received).toEqual([...sent, []]);
        },
      ),
    );
  });

  test("that cannot be are refused, not waited for", () => {
    const huge = new ByteReader();
    huge.push(Buffer.from([2, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]));
    expect(() => readFrame(huge)).toThrow(/too large/);
    const garbage = new ByteReader();
    garbage.push(Buffer.from("HTTP/1.1 400"));
    expect(() => readFrame(garbage)).toThrow(/not a ZMTP frame/);
  });
});

describe("messages", () => {
  const message = newMessage("session", "shell", "execute_request", { code: "é = '😀'" });

  test("are themselves again after the way through ZeroMQ", () => {
    expect(fromParts("shell", [Buffer.from("who"), ...toParts(message, "key")], "key")).toEqual(message);
  });

  test("with another key, a changed part or a missing one are dropped", () => {
    const parts = toParts(message, "key");
    const changed = parts.with(-1, Buffer.from('{"code": "evil()"}'));
    expect(fromParts("shell", parts, "other key")).toBeUndefined();
    expect(fromParts("shell", changed, "key")).toBeUndefined();
    expect(fromParts("shell", parts.slice(0, 4), "key")).toBeUndefined();
    expect(fromParts("shell", [], "key")).toBeUndefined();
  });

  test("are themselves again after the way through a WebSocket, with and without buffers", () => {
    const text = toSocketFrame(message);
    expect(fromSocketFrame(text)).toEqual(message);
    const json = Buffer.from(text);
    const head = Buffer.alloc(12);
    head.writeUInt32BE(2, 0);
    head.writeUInt32BE(12, 4);
    head.writeUInt32BE(12 + json.length, 8);
    const frame = new Uint8Array(Buffer.concat([head, json, Buffer.from([1, 2, 3])]));
    expect(fromSocketFrame(frame.buffer)).toEqual(message);
    expect(fromSocketFrame("no JSON")).toBeUndefined();
    expect(fromSocketFrame(new ArrayBuffer(2))).toBeUndefined();
  });
});
