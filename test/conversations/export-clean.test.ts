// The clean export of conversations as they happen: what it keeps, and that it does the same again elsewhere: in fresh sessions, as
// a plain script and in real Jupyter.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { exportConversation } from "../../src/conversations/export/index.ts";
import { importNotebook } from "../../src/conversations/import/index.ts";
import { exportClean } from "../../src/terminal/clean-export.ts";
import { type HeldConversation, heldConversations } from "../support/export-conversations.ts";
import { startInterpreter } from "../support/interpreter.ts";
import { type ExecutedNotebook, NotebookRunner } from "../support/notebook-runner.ts";
import { testPython } from "../support/session.ts";

/** A folder that has the files a conversation began with, and nothing else. */
function folderWith(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "export-test-"));
  place(folder, files);
  return folder;
}

function place(folder: string, files: Record<string, string> = {}): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

async function hold({ turns, files }: HeldConversation) {
  const since = new Date();
  const held = await startInterpreter(turns.flatMap(({ replies }) => replies));
  place(held.folder, files);
  for (const { said } of turns) await held.tell(said);
  return { ...held, since, [Symbol.asyncDispose]: () => held[Symbol.asyncDispose]() };
}

const programs: Record<string, string[]> = { ".py": [testPython], ".sh": ["bash"], ".cjs": [process.execPath] };
const runner = new NotebookRunner();
afterAll(() => runner.close());
const squeezed = (text: string): string => text.replace(/\s+/g, " ");

describe.each(heldConversations)("$name", (conversation) => {
  test("keeps what the results need, and does the same again elsewhere", { timeout: 180_000 }, async () => {
    await using held = await hold(conversation);
    const { interpreter, folder: cwd } = held;
    const out = mkdtempSync(join(tmpdir(), "export-out-"));
    const { text: plain } = await exportConversation("ipynb", { messages: interpreter.messages, title: "all" });
    writeFileSync(join(out, "all.ipynb"), plain);
    const back = await importNotebook(join(out, "all.ipynb"), { maxOutput: 5_000 });
    expect(back.messages).toEqual(interpreter.messages.filter(({ recipient }) => recipient !== "assistant"));

    const request = {
      messages: interpreter.messages,
      cwd,
      since: held.since,
      folder: out,
      options: { python: testPython },
      approve: async () => true,
      progress: () => {},
      signal: new AbortController().signal,
    };
    const script = await exportClean({ ...request, kind: "script" });
    const notebook = await exportClean({ ...request, kind: "ipynb", path: join(out, "clean.ipynb") });
    for (const { report, outcome } of [script, notebook]) {
      const { results } = conversation;
      expect(report.join("\n")).toContain(
        `Re-run in a fresh session: ${results} of ${results} ${results === 1 ? "result is" : "results are"} the same.`,
      );
      expect(outcome, report.join("\n")).toBe("same");
    }

    const text = readFileSync(script.paths[0]!, "utf8");
    for (const kept of conversation.keeps) expect(text).toContain(kept);
    for (const dropped of conversation.drops) expect(text).not.toContain(dropped);
    expect(extname(script.paths[0]!)).toBe(conversation.extension ?? ".py");
    expect(text).toContain("Re-run in a fresh session");

    // As anybody would start it, in a folder of its own.
    const alone = folderWith(conversation.files);
    cpSync(script.paths[0]!, join(alone, "alone"));
    const [command, ...args] = programs[extname(script.paths[0]!)]!;
    const printed = execFileSync(command!, [...args, "alone"], { cwd: alone, encoding: "utf8", env: bare(alone) });
    for (const line of conversation.prints ?? []) expect(squeezed(printed)).toContain(squeezed(line));
    for (const made of conversation.makes ?? []) expect(existsSync(join(alone, made)), made).toBe(true);

    const jupyter = folderWith(conversation.files);
    cpSync(notebook.paths[0]!, join(jupyter, "clean.ipynb"));
    const executed = outputsOf(await runner.run(join(jupyter, "clean.ipynb"), bare(jupyter)));
    for (const line of conversation.prints ?? []) expect(squeezed(executed)).toContain(squeezed(line));
    for (const made of conversation.makes ?? []) expect(existsSync(join(jupyter, made)), made).toBe(true);
    for (const each of [out, alone, jupyter]) rmSync(each, { recursive: true, force: true });
  });
});

/** Nothing of this machine's user. */
const bare = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: home,
  LANG: "C.UTF-8",
  MPLBACKEND: "Agg",
});

/** What the cells have printed and shown. */
const outputsOf = ({ cells }: ExecutedNotebook): string =>
  cells
    .flatMap(({ outputs = [] }) => outputs.flatMap(({ text, data }) => [text, data?.["text/plain"]]))
    .map((text) => (Array.isArray(text) ? text.join("") : (text ?? "")))
    .join("\n");
