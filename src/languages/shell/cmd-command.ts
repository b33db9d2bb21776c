// How cmd is started and given a block: in a file of its own that is called, so that a block of many lines, its labels and its
// `exit /b` mean what they mean in every batch file.

import type { CustomLanguage } from "../../settings/index.ts";

export function cmdCommand(program: string): Omit<CustomLanguage, "name"> {
  return {
    title: "cmd",
    extension: "cmd",
    run: "repl",
    // Silent, and without what the registry would have it run first.
    command: [program, "/Q", "/D"],
    setup: "@chcp 65001 >nul",
    // `call` alone makes ERRORLEVEL 0. A program that reads its input would take the line that ends the block.
    block: '@(call )\n@call "{file}" <nul',
    end: "@echo {end}:%ERRORLEVEL%",
  };
}

/** A block as the text of a batch file: cmd loses labels where lines do not end in CRLF. */
export function batchFile(code: string): string {
  const lines = `@echo off\n${code}`.split(/\r\n?|\n/);
  return `${lines.join("\r\n").replace(/(\r\n)?$/, "")}\r\n`;
}
