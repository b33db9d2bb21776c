// A program that asks about one host, or one path, while it prints, for the tests to press keys in; then it says what was decided.
// Its argument, as JSON: the question, and whether it is a terminal that cannot be painted in.

import { LineReader } from "../../src/terminal/line-reader.ts";
import { askHost } from "../../src/terminal/sandbox/ask-host.ts";
import { askPath } from "../../src/terminal/sandbox/ask-path.ts";
import { createStyle } from "../../src/terminal/style.ts";

const { question, plain = false, screen = true } = JSON.parse(process.argv[2]!);
const lines = new LineReader(process.stdin, process.stdout, { plain });
const stop = new AbortController();
lines.onInterrupt = () => stop.abort();
const print = (text: string): void => void process.stdout.write(text);
process.stdout.write("working …");
const settle = () => process.stdout.write("\n");
const shown = { lines, style: createStyle(false), print, settle, columns: () => process.stdout.columns || 80 };
const answer =
  "path" in question
    ? await askPath(question, shown, stop.signal)
    : await askHost(question, screen ? shown : undefined, stop.signal);
lines.close();
process.stdout.write(`decided ${answer}\n`);
