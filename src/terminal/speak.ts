// --speak_messages: what the model says is spoken with the program `say`, one message after the other.

import { spawn } from "node:child_process";
import type { Chunk } from "../messages/index.ts";

export interface Speaker {
  see(chunk: Chunk): void;
}

/** `missing` is called once, when there is no such program here. */
export function createSpeaker(env: NodeJS.ProcessEnv, missing: () => void): Speaker {
  let words = "";
  let last = Promise.resolve();
  let silent = false;

  async function speak(text: string): Promise<void> {
    if (silent) return;
    await new Promise<void>((done) => {
      // The words come in by a pipe: a text that begins with a dash is no option.
      const child = spawn("say", { env, stdio: ["pipe", "ignore", "ignore"] });
      child.on("error", () => {
        if (!silent) missing();
        silent = true;
        done();
      });
      child.on("close", () => done());
      child.stdin.on("error", () => {});
      child.stdin.end(text);
    });
  }

  return {
    see({ role, type, start, end, content }) {
      if (role !== "assistant" || type !== "message") return;
      if (start) words = "";
      if (typeof content === "string") words += content;
      if (!end || words.trim() === "") return;
      const text = spoken(words);
      last = last.then(() => speak(text));
    },
  };
}

/** Without what markdown is made of: blocks of code are left out. */
const spoken = (text: string): string =>
  text
    .replace(/^[ \t]*(`{3,})[\s\S]*?\1`*[ \t]*$/gm, "")
    .replace(/[*_`#>|]+/g, "")
    .trim();
