// An interpreter in a temporary folder, talking to a scripted model over its real wire.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { TurnEnd } from "../../src/agent/index.ts";
import { Interpreter, type InterpreterOptions } from "../../src/interpreter/index.ts";
import { type Chunk, createGrammar, foldChunks, type Message } from "../../src/messages/index.ts";
import type { WireName } from "./scripted-model/wires/wire.ts";
import { type Script, type ScriptedModel, scriptedModel } from "./scripted-model.ts";
import { testPython } from "./session.ts";

export interface Told {
  chunks: Chunk[];
  end: TurnEnd;
  /** Notices and errors. */
  notices: Chunk[];
}

export interface TestInterpreter extends AsyncDisposable {
  interpreter: Interpreter;
  model: ScriptedModel;
  folder: string;
  /** Says something, follows it to the end, and checks every chunk against the grammar on the way. */
  tell(words: string, on?: (chunk: Chunk) => void): Promise<Told>;
}

/** `wire` is the one the model is spoken to on. */
export async function startInterpreter(
  script: Script,
  options: InterpreterOptions = {},
  wire: WireName = "openai",
): Promise<TestInterpreter> {
  const model = await scriptedModel(script);
  const folder = mkdtempSync(join(tmpdir(), "interpreter-test-"));
  const interpreter = new Interpreter({
    model: "openai-chat/scripted",
    apiBase: model[wire],
    autoRun: true,
    cwd: folder,
    python: testPython,
    env: { ...process.env, INTERPRETER_HOME: join(folder, ".home") },
    ...options,
  });
  return {
    interpreter,
    model,
    folder,
    async tell(words, on) {
      const chunks: Chunk[] = [];
      const grammar = createGrammar();
      const before = interpreter.messages.length;
      const turn = interpreter.chat(words, { stream: true });
      for (;;) {
        const { value, done } = await turn.next();
        if (done) {
          expect(grammar.end()).toBeUndefined();
          // What is remembered is exactly what the stream said, after the user's own message.
          expect(interpreter.messages.slice(before + 1)).toEqual(foldChunks(chunks, options.maxOutput ?? 5_000));
          return { chunks, end: value, notices: chunks.filter(({ type }) => type === "notice" || type === "error") };
        }
        expect(grammar.push(value)).toBeUndefined();
        chunks.push(value);
        on?.(value);
      }
    },
    async [Symbol.asyncDispose]() {
      await interpreter.close();
      await model.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A message in one line: `computer console: 2`. */
export function brief({ role, type, format, content }: Message): string {
  const kind = type === "code" ? `${type} ${format}` : type;
  return `${role} ${kind}: ${content.trim()}`;
}
