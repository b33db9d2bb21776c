// One task whose answer follows a schema: that JSON is all there is on stdout, and everything else is on stderr.

import { type AnswerEnd, type Interpreter, loadAnswerSchema, type Schema } from "../interpreter/index.ts";
import { exitCodes } from "./exit-codes.ts";
import type { View } from "./view.ts";

/** Throws InputProblem before anything is sent. */
export async function readSchema(file: string): Promise<Schema> {
  const { readSchemaFile } = await loadAnswerSchema();
  return readSchemaFile(file, process.cwd());
}

/** Says it, shows what comes of it, and prints the answer: on one line, unless a person looks at it. */
export async function followAnswer(
  interpreter: Interpreter,
  message: string,
  schema: Schema,
  view: View,
  json: boolean,
): Promise<number> {
  const turn = interpreter.answer(message, schema, { stream: true });
  let answer: unknown;
  view.busy(true);
  for (;;) {
    const { value: chunk, done } = await turn.next();
    if (done) {
      const end: AnswerEnd = chunk;
      view.busy(false);
      view.settle();
      view.draw({ role: "server", type: "status", content: "complete", code: end });
      if (end === "done" && !json)
        process.stdout.write(`${JSON.stringify(answer, null, process.stdout.isTTY ? 2 : 0)}\n`);
      return end === "no-answer" ? 6 : exitCodes[end];
    }
    if (chunk.type === "answer") ({ value: answer } = chunk.content as { value: unknown });
    view.draw(chunk);
    await view.room();
  }
}
