// Lua: the person's own, driven by `lua-driver.lua` inside it.

import { drivenLanguage } from "../driven/index.ts";
import { keepLocals } from "./keep-locals.ts";

/** How often one session can be interrupted: Lua arms its handler once for each piece of code on its command line. */
const interrupts = 500;

export const lua = drivenLanguage({
  name: "lua",
  extension: "lua",
  offered: false,
  title: "Lua",
  programs: ["lua", "lua5.4", "lua5.3", "luajit", "lua5.1"],
  packages: { apt: "lua5.4", brew: "lua", winget: "DEVCOM.Lua" },
  driver: new URL("./lua-driver.lua", import.meta.url),
  args: (driver) => [
    "-e",
    `debug.getregistry().interpreter = dofile(${JSON.stringify(driver)})`,
    ...Array.from({ length: interrupts }, () => ["-e", "debug.getregistry().interpreter()"]).flat(),
    "-e",
    "os.exit(0)",
  ],
  // Lua cannot use a descriptor it did not open: its driver reads and writes through two small programs.
  posixOnly: true,
  rewrite: keepLocals,
});
