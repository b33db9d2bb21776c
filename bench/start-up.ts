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

/** The least a program can do with a model: ask, run what it says in a shell, ask again, until it says nothing more. */
const bareProgram = `
const { execFileSync } = require("node:child_process");
const ask = () => fetch(process.argv[1], { method: "POST", body: "{}" }).then((r) => r.text());
const go = (said) => said.includes("tool_calls\\":")
  ? (execFileSync("bash", ["-c", "echo hi"]), ask().then(go))
  : process.exit(0);
ask().then(go);
`;

interface Exchange {
  firstRequest: number;
  /** After the last block. */
  toolToNext: number;
  whole: number;
  firstBytes: number;
  peakMemory: number;
}

interface Model {
  /** Tool calls that it sends, one after the other, before it says a word. */
  blocks: number;
  /** Milliseconds before each answer. */
  thinks: number;
}

type Program = (url: string) => { command: string; args: string[] };

async function exchange(program: Program, { blocks, thinks }: Model): Promise<Exchange> {
  const times: number[] = [];
  let callSent = 0;
  let firstBytes = 0;
  const server = createServer((request, response) => {
    times.push(performance.now());
    const calls = times.length <= blocks;
    let size = 0;
    request.on("data", (data) => {
      size += data.length;
    });
    request.on("end", async () => {
      if (times.length === 1) firstBytes = size;
      if (thinks > 0) await new Promise((resolve) => setTimeout(resolve, thinks));
      const send = (choice: object) =>
        response.write(
          `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, ...choice }] })}\n\n`,
        );
      response.writeHead(200, { "content-type": "text/event-stream" });
      const call = {
        index: 0,
        id: `c${times.length}`,
        type: "function",
        function: { name: "execute", arguments: '{"language":"shell","code":"echo hi"}' },
      };
      send({
        delta: calls ? { role: "assistant", tool_calls: [call] } : { role: "assistant", content: "done" },
        finish_reason: null,
      });
      callSent = calls ? performance.now() : callSent;
      send({ delta: {}, finish_reason: calls ? "tool_calls" : "stop" });
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
  return { firstRequest: times[0]! - start, toolToNext: times[blocks]! - callSent, whole, firstBytes, peakMemory };
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
  const our: Program = (url) => ({
    command: node,
    args: [bin, "-y", "--plain", "--model", "m", "--api_base", url, "say hi"],
  });
  const bareOne: Program = (url) => ({ command: node, args: ["-e", bareProgram, url] });
  const sideBySide = async (model: Model, runs: number) => {
    const ours: Exchange[] = [];
    const floors: Exchange[] = [];
    for (let run = 0; run < runs; run++) {
      ours.push(await exchange(our, model));
      floors.push(await exchange(bareOne, model));
    }
    return { ours, floors };
  };
  const atOnce = await sideBySide({ blocks: 1, thinks: 0 }, 12);
  const thinking = await sideBySide({ blocks: 1, thinks: 200 }, 8);
  const second = await sideBySide({ blocks: 2, thinks: 0 }, 8);
  const chat = await least(10, () => untilPrompt([bin, "--model", "m", "--api_base", "http://127.0.0.1:9/v1"]));
  const bareChat = await least(10, () => untilPrompt(["-e", barePrompt]));
  rmSync(home, { recursive: true, force: true });
  const min = (all: Exchange[], key: keyof Exchange) => Math.min(...all.map((each) => each[key]));
  const { ours, floors } = atOnce;
  const beside = (key: keyof Exchange, all = floors) => ({ what: "bare Node program", value: min(all, key) });
  const toolToNext = (what: string, all: typeof atOnce): Row => ({
    what: `end of tool call → next request (echo hi), ${what}`,
    value: min(all.ours, "toolToNext"),
    unit: "ms",
    floor: beside("toolToNext", all.floors),
    budget: { times: 1.36 },
  });
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
    toolToNext("first block of a model that answers at once", atOnce),
    toolToNext("first block of a model that thinks for 200 ms", thinking),
    toolToNext("second block", second),
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
