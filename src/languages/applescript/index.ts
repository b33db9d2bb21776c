// AppleScript: each block is a script of its own, read by osascript from a file, so that no shell ever sees it.

import { customLanguage } from "../custom/index.ts";
import { type Language, SessionStartError } from "../language.ts";

const osascript = customLanguage({
  name: "applescript",
  title: "AppleScript",
  extension: "applescript",
  run: "file",
  command: ["/usr/bin/osascript", "{file}"],
});

export const applescript: Language = {
  ...osascript,
  aliases: ["osascript"],
  offered: process.platform === "darwin",
  note: "variables do not stay from block to block.",
  async available() {
    return process.platform === "darwin" ? true : "AppleScript runs on macOS only.";
  },
  async start(options) {
    if (process.platform !== "darwin") throw new SessionStartError("AppleScript runs on macOS only.");
    return osascript.start(options);
  },
};
