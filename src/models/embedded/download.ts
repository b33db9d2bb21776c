// Downloads weights: goes on where an earlier try stopped, checks every byte against the checksum that the server gives,
// and puts the file in its place only when it is whole.

import { createHash, type Hash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { open, statfs, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bytesIn } from "../bytes.ts";
import { type RemoteFile, remoteFile } from "./hugging-face.ts";
import { EmbeddedProblem } from "./problem.ts";
import type { Weights } from "./recommended.ts";

export interface DownloadRequest {
  weights: Weights;
  /** Where the file goes. */
  path: string;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  onProgress: (progress: DownloadProgress) => void;
}

export interface DownloadProgress {
  step: "checking" | "downloading";
  done: number;
  total: number;
}

/** Tries in a row that bring nothing before it is given up. */
const mostTries = 4;
const firstDelay = 500;
/** Room on the disk that stays free. */
const spareRoom = 200e6;

/** Rejects with EmbeddedProblem, or with the signal's reason when it was given up; then the part stays for the next time. */
export async function download(request: DownloadRequest): Promise<void> {
  const { weights, path, env, signal } = request;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const remote = await remoteFile(weights, env, signal);
  const part = partAt(path, remote);
  await checkRoom(dirname(path), remote.bytes - part.size(), weights.name);
  const hash = createHash("sha256");
  let done = await hashPart(part.path, hash, remote, request);
  let current = hash;
  for (let tries = 0; done < remote.bytes; ) {
    const before = done;
    const restart = () => {
      current = createHash("sha256");
      done = 0;
    };
    try {
      await fetchRest(remote, part, done, signal, {
        restart,
        piece(bytes) {
          current.update(bytes);
          done += bytes.length;
          request.onProgress({ step: "downloading", done, total: remote.bytes });
        },
      });
      if (done < remote.bytes) throw new Error("the connection was closed early");
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof EmbeddedProblem) throw error;
      tries = done > before ? 1 : tries + 1;
      if (tries >= mostTries) throw broken(error, done, remote.bytes);
      await sleep(firstDelay * 2 ** (tries - 1), undefined, { signal });
    }
  }
  finish(part.path, path, current, remote, weights.name);
}

function finish(part: string, path: string, hash: Hash, remote: RemoteFile, name: string): void {
  rmSync(`${part}.json`, { force: true });
  if (hash.digest("hex") !== remote.sha256) {
    rmSync(part, { force: true });
    throw new EmbeddedProblem(
      "unknown",
      `What was downloaded is not ${name}: its checksum is wrong. It has been removed.`,
      "Try again; if it goes on, something on the way changes the file.",
    );
  }
  renameSync(part, path);
}

interface Part {
  path: string;
  size(): number;
  /** What the server called this version of the file, if a part of it is here. */
  etag(): string | undefined;
  note(etag: string | null): Promise<void>;
}

/** What is there of this very file; a part of another version is removed. */
function partAt(path: string, remote: RemoteFile): Part {
  const part = `${path}.part`;
  const notes = `${part}.json`;
  const read = (): { sha256?: string; etag?: string } => {
    try {
      return JSON.parse(readFileSync(notes, "utf8"));
    } catch {
      return {};
    }
  };
  const size = () => (existsSync(part) ? statSync(part).size : 0);
  if (read().sha256 !== remote.sha256 || size() > remote.bytes) rmSync(part, { force: true });
  return {
    path: part,
    size,
    etag: () => read().etag,
    note: (etag) => writeFile(notes, JSON.stringify({ sha256: remote.sha256, etag: etag ?? undefined })),
  };
}

async function hashPart(part: string, hash: Hash, remote: RemoteFile, request: DownloadRequest): Promise<number> {
  let done = 0;
  if (!existsSync(part)) return done;
  for await (const piece of createReadStream(part, { signal: request.signal })) {
    hash.update(piece as Buffer);
    done += (piece as Buffer).length;
    request.onProgress({ step: "checking", done, total: remote.bytes });
  }
  return done;
}

interface Taker {
  /** The server sends all of it again. */
  restart(): void;
  piece(bytes: Uint8Array): void;
}

/** Asks for what is missing and appends it to the part. */
async function fetchRest(remote: RemoteFile, part: Part, from: number, signal: AbortSignal, take: Taker) {
  const etag = part.etag();
  const response = await fetch(remote.url, {
    signal,
    headers: from > 0 ? { range: `bytes=${from}-`, ...(etag && { "if-range": etag }) } : {},
  });
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    // What is here does not fit what is there: begin anew.
    if (response.status === 416) {
      rmSync(part.path, { force: true });
      take.restart();
    }
    throw refused(response.status);
  }
  const goesOn = response.status === 206 && response.headers.get("content-range")?.startsWith(`bytes ${from}-`);
  if (!goesOn && from > 0) take.restart();
  const tag = response.headers.get("etag");
  await part.note(tag?.startsWith("W/") ? null : tag);
  await using file = await open(part.path, goesOn ? "a" : "w", 0o600);
  let size = goesOn ? from : 0;
  for await (const bytes of response.body) {
    size += bytes.length;
    if (size > remote.bytes) throw new EmbeddedProblem("unknown", "The server sends more than the file has.", "");
    await file.writeFile(bytes);
    take.piece(bytes);
  }
  await file.sync();
}

function refused(status: number): Error {
  if (status >= 500 || status === 429 || status === 408 || status === 416)
    return new Error(`the server answered ${status}`);
  return new EmbeddedProblem(
    "not-found",
    `The server does not give the file (${status}).`,
    "Try again later, or choose another model.",
  );
}

function broken(error: unknown, done: number, total: number): EmbeddedProblem {
  const { message, cause } = error as Error & { cause?: Error };
  const why = (cause?.message || message).replace(/[.\s]+$/, "");
  return new EmbeddedProblem(
    "connection",
    `The download broke off at ${bytesIn(done)} of ${bytesIn(total)}: ${why}.`,
    "What is here is kept: the next try goes on from there.",
  );
}

async function checkRoom(folder: string, needed: number, name: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free > needed + spareRoom) return;
  throw new EmbeddedProblem(
    "bad-request",
    `There is not enough room for ${name} in ${folder}: ${bytesIn(needed)} are needed, ${bytesIn(free)} are free.`,
    "Make room, or set INTERPRETER_HOME to a folder on another disk.",
  );
}
