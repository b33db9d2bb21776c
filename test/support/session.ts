// Runs blocks in real sessions and collects what comes out, for the tests of the languages.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Language, Session, SessionEnd, SessionEvent, SessionOptions } from "../../src/languages/index.ts";
import { localMachine } from "../../src/machine/index.ts";

/** The Python environment the tests are run with. */
export const testPython = process.env.INTERPRETER_TEST_PYTHON ?? join(import.meta.dirname, "../../.venv/bin/python");

export interface Ran {
  stdout: string;
  stderr: string;
  /** text/plain of what was displayed. */
  displayed: string[];
  bundles: Record<string, unknown>[];
  lines: number[];
  error: Extract<SessionEvent, { type: "error" }> | undefined;
  end: SessionEnd;
  events: SessionEvent[];
}

export interface TestSession extends AsyncDisposable {
  session: Session;
  folder: string;
  run(code: string, on?: (event: SessionEvent) => void): Promise<Ran>;
}

/** A session in a temporary folder of its own. Answers to input come from `answers`; without one nobody is there. */
export async function startSession(
  language: Language,
  answers: string[] = [],
  env = process.env,
  options: Partial<SessionOptions> = {},
): Promise<TestSession> {
  const folder = mkdtempSync(join(tmpdir(), "session-test-"));
  const session = await language.start({ machine: localMachine, cwd: folder, env, python: testPython, ...options });
  let blocks = 0;
  return {
    session,
    folder,
    async run(code, on) {
      const events: SessionEvent[] = [];
      for await (const event of session.run(code, `<block ${++blocks}>`)) {
        events.push(structuredClone({ ...event, answer: undefined }) as SessionEvent);
        if (event.type === "input") event.answer(answers.shift() ?? null);
        on?.(event);
      }
      return summarise(events);
    },
    async [Symbol.asyncDispose]() {
      await session.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function summarise(events: SessionEvent[]): Ran {
  const text = (stream: "stdout" | "stderr") =>
    events.map((event) => (event.type === "output" && event.stream === stream ? event.text : "")).join("");
  const bundles = events.flatMap((event) => (event.type === "display" ? [event.bundle] : []));
  return {
    stdout: text("stdout"),
    stderr: text("stderr"),
    displayed: bundles.map((bundle) => String(bundle["text/plain"])),
    bundles,
    lines: events.flatMap((event) => (event.type === "line" ? [event.line] : [])),
    error: events.find((event) => event.type === "error"),
    end: events.at(-1) as SessionEnd,
    events,
  };
}

/** Whether a process is still there. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until something holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}
