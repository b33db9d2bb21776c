// cmd runs on Windows only: here is tested what is given to it.

import { describe, expect, it } from "vitest";
import { Sessions } from "../../src/languages/index.ts";
import { batchFile, cmdCommand } from "../../src/languages/shell/cmd-command.ts";
import { cmd } from "../../src/languages/shell/cmd-language.ts";
import { localMachine } from "../../src/machine/index.ts";

describe("a block for cmd", () => {
  it("is a batch file that does not show its own lines, each ended by CRLF", () => {
    expect(batchFile("echo one\n:label\r\necho 100%%\rgoto :eof")).toBe(
      "@echo off\r\necho one\r\n:label\r\necho 100%%\r\ngoto :eof\r\n",
    );
    expect(batchFile("echo one\n")).toBe("@echo off\r\necho one\r\n");
    expect(batchFile("")).toBe("@echo off\r\n");
  });

  it("is called without our own input, from a clean error level, which is told with the end", () => {
    const { block, end, command } = cmdCommand("C:\\Windows\\cmd.exe");
    expect(command).toEqual(["C:\\Windows\\cmd.exe", "/Q", "/D"]);
    expect(block?.split("\n")).toEqual(["@(call )", '@call "{file}" <nul']);
    expect(end).toBe("@echo {end}:%ERRORLEVEL%");
  });
});

describe("cmd", () => {
  it("has the names people write", () => {
    const sessions = new Sessions([cmd], { machine: localMachine, cwd: "/", env: {} });
    for (const name of ["cmd", "bat", "batch"]) expect(sessions.find(name)).toBe(cmd);
  });

  it.skipIf(process.platform === "win32")("says that it is a part of Windows", async () => {
    const options = { machine: localMachine, cwd: "/", env: process.env };
    expect(await cmd.available(options)).toBe("cmd is a part of Windows: it runs nowhere else.");
    await expect(cmd.start(options)).rejects.toThrow("a part of Windows");
  });
});
