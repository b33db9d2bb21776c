// The picture in the clipboard, got with the program that each system has for it.

import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "../messages/index.ts";
import { pictureFacts } from "../pictures/index.ts";

export type Clipboard = { picture: Buffer } | { problem: string };

const nothing = "There is no picture in the clipboard.";

export async function readClipboardImage(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Promise<Clipboard> {
  if (platform === "darwin") return fromMac(env);
  if (platform === "win32") return fromWindows(env);
  if (env.WAYLAND_DISPLAY)
    return fromProgram("wl-paste", ["--list-types"], ["--no-newline", "--type"], "wl-clipboard", env);
  if (env.DISPLAY) {
    const from = ["-selection", "clipboard", "-o", "-t"];
    return fromProgram("xclip", [...from, "TARGETS"], from, "xclip", env);
  }
  return { problem: "There is no clipboard here: no desktop is running. Name the file: %image PATH" };
}

/** Asks for the kinds that are there, and for the best of them. */
async function fromProgram(
  program: string,
  kinds: readonly string[],
  get: readonly string[],
  packageName: string,
  env: NodeJS.ProcessEnv,
): Promise<Clipboard> {
  const listed = await run(program, kinds, env);
  if (listed === "missing") {
    return {
      problem: `The clipboard is read with ${program}, which is not installed. Install ${packageName}, or name the file: %image PATH`,
    };
  }
  const offered = listed?.toString("utf8").split(/\s+/) ?? [];
  const kind = ["image/png", "image/jpeg", "image/bmp", "image/gif", "image/webp"].find((each) =>
    offered.includes(each),
  );
  return kind === undefined ? { problem: nothing } : asPicture(await run(program, [...get, kind], env));
}

/** Written to a file by the system's own scripting, because its output is text only. */
async function fromMac(env: NodeJS.ProcessEnv): Promise<Clipboard> {
  return throughFile(env, (path) => [
    "osascript",
    [
      ...["-e", "set picture to the clipboard as «class PNGf»"],
      ...["-e", `set target to open for access POSIX file "${path}" with write permission`],
      ...["-e", "write picture to target", "-e", "close access target"],
    ],
  ]);
}

async function fromWindows(env: NodeJS.ProcessEnv): Promise<Clipboard> {
  return throughFile(env, (path) => [
    "powershell.exe",
    [
      ...["-NoProfile", "-NonInteractive", "-STA", "-Command"],
      `Add-Type -AssemblyName System.Windows.Forms; $picture = [Windows.Forms.Clipboard]::GetImage(); if ($picture) { $picture.Save('${path.replaceAll("'", "''")}', [Drawing.Imaging.ImageFormat]::Png) }`,
    ],
  ]);
}

async function throughFile(
  env: NodeJS.ProcessEnv,
  command: (path: string) => [string, readonly string[]],
): Promise<Clipboard> {
  const path = join(tmpdir(), `clipboard-${newId()}.png`);
  try {
    await run(...command(path), env);
    return asPicture(await readFile(path).catch(() => undefined));
  } finally {
    await rm(path, { force: true });
  }
}

function asPicture(file: Buffer | "missing" | undefined): Clipboard {
  return file instanceof Buffer && pictureFacts(file) ? { picture: file } : { problem: nothing };
}

/** What a program prints; nothing when it fails, which is how these say that there is nothing. */
function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Buffer | "missing" | undefined> {
  const options = { env, encoding: "buffer", timeout: 10_000, maxBuffer: 200_000_000, windowsHide: true } as const;
  return new Promise((resolve) => {
    execFile(program, [...args], options, (error, stdout) => {
      if (error?.code === "ENOENT") resolve("missing");
      else resolve(error ? undefined : stdout);
    });
  });
}
