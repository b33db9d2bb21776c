// A program that asks one question about effects, for the tests to press keys in; then it says what was decided.
// Its argument, as JSON: the question, and whether it is a terminal that cannot be painted in.

import { readFileSync } from "node:fs";
import type { EffectsQuestion } from "../../src/agent/index.ts";
import { askEffects, effectsScreen } from "../../src/terminal/effects/ask-effects.ts";
import { LineReader } from "../../src/terminal/line-reader.ts";
import { hasUnicode, inPlainSigns } from "../../src/terminal/plain-signs.ts";
import { createStyle, wantsColour } from "../../src/terminal/style.ts";
import { createWriter } from "../../src/terminal/writer.ts";

const { question, plain } = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as {
  question: EffectsQuestion;
  plain: boolean;
};
const lines = new LineReader(process.stdin, process.stdout, { plain });
const stop = new AbortController();
lines.onInterrupt = () => stop.abort();
const writer = createWriter(process.stdout, hasUnicode(process.env) ? undefined : inPlainSigns);
const view = {
  style: createStyle(wantsColour(process.stdout, plain, process.env)),
  live: !plain,
  print: (text: string) => writer.write(text),
  settle: () => {},
};
const decision = await askEffects(question, effectsScreen(lines, view), stop.signal);
lines.close();
process.stdout.write(`decided ${JSON.stringify(decision)}\n`);
