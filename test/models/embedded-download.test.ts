// Weights are downloaded from a real server on loopback that fails the way networks do.

import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type DownloadProgress, download } from "../../src/models/embedded/index.ts";
import { startModelHub } from "../support/model-hub.ts";

const content = randomBytes(300_000);
const weights = { name: "tiny", about: "", repository: "someone/tiny-GGUF", file: "model.gguf", bytes: 1 };
const folder = mkdtempSync(join(tmpdir(), "download-test-"));
const path = join(folder, "models", "tiny.gguf");
const part = `${path}.part`;
afterEach(() => rmSync(join(folder, "models"), { recursive: true, force: true }));

function fetchFrom(
  origin: string,
  onProgress: (progress: DownloadProgress) => void = () => {},
  stop = new AbortController(),
) {
  return download({ weights, path, env: { HF_ENDPOINT: `${origin}/` }, signal: stop.signal, onProgress });
}

test("the whole file is there, alone, and private", async () => {
  await using hub = await startModelHub({ content });
  const told: DownloadProgress[] = [];
  await fetchFrom(hub.origin, (progress) => told.push(progress));
  expect(readFileSync(path).equals(content)).toBe(true);
  expect(readdirSync(join(folder, "models"))).toEqual(["tiny.gguf"]);
  expect(statSync(path).mode & 0o077).toBe(0);
  expect(told.at(-1)).toEqual({ step: "downloading", done: 300_000, total: 300_000 });
  // The very version whose checksum was told is fetched.
  expect(hub.requests.map((request) => `${request.method} ${request.path}`)).toEqual([
    "HEAD /someone/tiny-GGUF/resolve/main/model.gguf",
    "GET /someone/tiny-GGUF/resolve/abc123/model.gguf",
    "GET /store/file",
  ]);
});

test("a checksum that is only in the listing is good enough", async () => {
  await using hub = await startModelHub({ content, checksum: "listing" });
  await fetchFrom(hub.origin);
  expect(readFileSync(path).equals(content)).toBe(true);
});

test("without a checksum nothing is fetched", async () => {
  await using hub = await startModelHub({ content, checksum: "none" });
  await expect(fetchFrom(hub.origin)).rejects.toThrow("does not say what model.gguf must be");
  expect(readdirSync(join(folder, "models"))).toEqual([]);
});

describe("a connection that breaks", () => {
  test("is gone on with from there", async () => {
    await using hub = await startModelHub({ content, cuts: [100_000, 50_000] });
    await fetchFrom(hub.origin);
    expect(readFileSync(path).equals(content)).toBe(true);
    expect(hub.requests.filter(({ path: at }) => at === "/store/file").map(({ range }) => range)).toEqual([
      undefined,
      "bytes=100000-",
      "bytes=150000-",
    ]);
  });

  test("for good keeps the part, and the next start goes on", async () => {
    await using hub = await startModelHub({ content, cuts: [100_000, 0, 0, 0] });
    await expect(fetchFrom(hub.origin)).rejects.toMatchObject({
      message: expect.stringMatching(/^The download broke off at 100 kB of 300 kB: .*\.$/),
      hint: "What is here is kept: the next try goes on from there.",
    });
    expect(statSync(part).size).toBe(100_000);
    const told: DownloadProgress[] = [];
    await fetchFrom(hub.origin, (progress) => told.push(progress));
    expect(told[0]!.step).toBe("checking");
    expect(hub.requests.at(-1)!.range).toBe("bytes=100000-");
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  test("at a server that cannot send parts begins anew", async () => {
    await using hub = await startModelHub({ content, cuts: [100_000], ranges: false });
    await fetchFrom(hub.origin);
    expect(readFileSync(path).equals(content)).toBe(true);
  });
});

/** Begins a download and gives it up as soon as something is there. */
async function giveUp(origin: string): Promise<void> {
  const stop = new AbortController();
  await expect(fetchFrom(origin, () => stop.abort(), stop)).rejects.toMatchObject({ name: "AbortError" });
}

test("Ctrl-C keeps the part", async () => {
  await using hub = await startModelHub({ content, cuts: [100_000] });
  await giveUp(hub.origin);
  expect(statSync(part).size).toBeGreaterThan(0);
  expect(existsSync(path)).toBe(false);
});

test("a file that has changed since is fetched from the beginning", async () => {
  await using hub = await startModelHub({ content, cuts: [100_000] });
  await giveUp(hub.origin);
  const other = randomBytes(200_000);
  hub.change(other);
  await fetchFrom(hub.origin);
  expect(readFileSync(path).equals(other)).toBe(true);
});

test("a wrong checksum removes what was fetched, and says so", async () => {
  await using hub = await startModelHub({ content, checksum: "wrong" });
  await expect(fetchFrom(hub.origin)).rejects.toThrow("its checksum is wrong. It has been removed.");
  expect(readdirSync(join(folder, "models"))).toEqual([]);
});

test("a part that is damaged is found out in the end", async () => {
  await using hub = await startModelHub({ content, cuts: [100_000] });
  await giveUp(hub.origin);
  writeFileSync(part, randomBytes(statSync(part).size));
  await expect(fetchFrom(hub.origin)).rejects.toThrow("its checksum is wrong");
  expect(existsSync(part)).toBe(false);
});

test("a busy server is asked again", async () => {
  await using hub = await startModelHub({ content, statuses: [503, 200, 200, 500] });
  await fetchFrom(hub.origin);
  expect(readFileSync(path).equals(content)).toBe(true);
});

test("a server that stays broken is said to be", async () => {
  await using hub = await startModelHub({ content, statuses: [500, 500, 500] });
  await expect(fetchFrom(hub.origin)).rejects.toMatchObject({ failure: { kind: "overloaded" } });
});

test("a file that does not exist is said not to", async () => {
  await using hub = await startModelHub({ content, statuses: [404] });
  await expect(fetchFrom(hub.origin)).rejects.toMatchObject({
    message: `${hub.origin} does not give someone/tiny-GGUF/resolve/main/model.gguf (404).`,
  });
});

test("a hub that cannot be reached is said not to be", async () => {
  await expect(fetchFrom("http://127.0.0.1:1")).rejects.toMatchObject({ failure: { kind: "connection" } });
});

test("a disk without room is said to have none, before anything is fetched", async () => {
  await using hub = await startModelHub({ content, size: 1e18 });
  await expect(fetchFrom(hub.origin)).rejects.toThrow("There is not enough room for tiny");
  expect(hub.requests.some(({ path: at }) => at === "/store/file")).toBe(false);
});
