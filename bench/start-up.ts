// From the command to the first request, to the next, to the end: beside bare Node programs that do as little as can be done.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pty from "@lydell/node-pty";
import { least, type Row, timed } from "./measure.ts";

const bin = join(import.meta.dirname, "../bin/interpreter.js");
const home = mkdtempSync(join(tmpdir(), "bench-home-"));

/** The least a program can do with a model: ask, run what it says in a shell, ask again. */
const bareProgram = `
const { execFileSync } = require("node:child_process");
const ask = () => fetch(process.argv[1], { method: "POST", body: "{}" }).then((r) => r.text());
ask().then(() => { execFileSync("bash", ["-c", "echo hi"]); return ask(); }).then(() => process.exit(0));
`;

interface Exchange {
  firstRequest: number;
  toolToNext: number;
  whole: number;
  firstBytes: number;
  peakMemory: number;
}

/** Runs a program against a server that first sends a tool call, then a word. */
async function exchange(program: (url: string) => { command: string; args: string[] }): Promise<Exchange> {
  const times: number[] = [];
  let callSent = 0;
  let firstBytes = 0;
  const server = createServer((request, response) => {
    times.push(performance.now());
    const first = times.length === 1;
    let size = 0;
    request.on("data", (data) => {
      size += data.length;
    });
    request.on("end", () => {
      if (first) firstBytes = size;
      const send = (choice: object) =>
        response.write(
          `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, ...choice }] })}\n\n`,
        );
      response.writeHead(200, { "content-type": "text/event-stream" });
      const call = {
        index: 0,
        id: "c1",
        type: "function",
        function: { name: "execute", arguments: '{"language":"shell","code":"echo hi"}' },
      };
      send({
        delta: first ? { role: "assistant", tool_calls: [call] } : { role: "assistant", content: "done" },
        finish_reason: null,
      });
      callSent = first ? performance.now() : callSent;
      send({ delta: {}, finish_reason: first ? "tool_calls" : "stop" });
      response.end("data: [DONE]\n\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { command, args } = program(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  const start = performance.now();
  const child = spawn(command, args, { stdio: "ignore", env: { ...process.env, INTERPRETER_HOME: home } });
  let peakMemory = 0;
  const watch = setInterval(() => {
    peakMemory = Math.max(peakMemory, highWater(child.pid!));
  }, 5);
  await new Promise((resolve) => child.on("close", resolve));
  clearInterval(watch);
  const whole = performance.now() - start;
  server.close();
  return { firstRequest: times[0]! - start, toolToNext: times[1]! - callSent, whole, firstBytes, peakMemory };
}

/** Milliseconds until a program in a terminal asks for something. */
function untilPrompt(args: string[]): Promise<number> {
  const start = performance.now();
  return new Promise((resolve) => {
    let shown = "";
    const child = pty.spawn(process.execPath, args, {
      cols: 80,
      rows: 24,
      env: { ...process.env, INTERPRETER_HOME: home },
    });
    child.onData((data) => {
      shown += data;
      if (!/(^|\n|\r)(\x1b\[[\d;?]*\w)*> /.test(shown)) return;
      resolve(performance.now() - start);
      child.kill();
    });
  });
}

const barePrompt = `process.stdout.write("> "); process.stdin.setRawMode(true).resume();`;

function highWater(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

export async function measureStartUp(): Promise<Row[]> {
  const node = process.execPath;
  const version = await least(15, () => timed(() => spawnSync(node, [bin, "--version"])));
  const bare = await least(15, () => timed(() => spawnSync(node, ["-e", "0"])));
  const ours: Exchange[] = [];
  const floors: Exchange[] = [];
  for (let run = 0; run < 12; run++) {
    ours.push(
      await exchange((url) => ({
        command: node,
        args: [bin, "-y", "--plain", "--model", "m", "--api_base", url, "say hi"],
      })),
    );
    floors.push(await exchange((url) => ({ command: node, args: ["-e", bareProgram, url] })));
  }
  const chat = await least(10, () => untilPrompt([bin, "--model", "m", "--api_base", "http://127.0.0.1:9/v1"]));
  const bareChat = await least(10, () => untilPrompt(["-e", barePrompt]));
  rmSync(home, { recursive: true, force: true });
  const min = (all: Exchange[], key: keyof Exchange) => Math.min(...all.map((each) => each[key]));
  const beside = (key: keyof Exchange) => ({ what: "bare Node program", value: min(floors, key) });
  return [
    {
      what: "interpreter --version",
      value: version,
      unit: "ms",
      floor: { what: "node -e 0", value: bare },
      budget: { times: 1.5 },
    },
    {
      what: "start → first model request",
      value: min(ours, "firstRequest"),
      unit: "ms",
      floor: beside("firstRequest"),
      budget: { times: 1.2 },
    },
    {
      what: "end of tool call → next request (echo hi)",
      value: min(ours, "toolToNext"),
      unit: "ms",
      floor: beside("toolToNext"),
      budget: { times: 1.36 },
    },
    {
      what: "whole one-shot with one block",
      value: min(ours, "whole"),
      unit: "ms",
      floor: beside("whole"),
      budget: { value: 180 },
    },
    {
      what: "start → prompt of the chat",
      value: chat,
      unit: "ms",
      floor: { what: "bare Node program", value: bareChat },
    },
    { what: "first request", value: min(ours, "firstBytes"), unit: "bytes", budget: { value: 4000 } },
    {
      what: "peak memory of our process",
      value: Math.max(...ours.map(({ peakMemory }) => peakMemory)),
      unit: "MB",
      floor: beside("peakMemory"),
      budget: { value: 90 },
    },
  ];
}
