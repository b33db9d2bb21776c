// `interpreter tour`: a short scripted conversation, said to be scripted, whose code really runs on this machine.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Interpreter } from "../interpreter/index.ts";
import { InputProblem, type Settings } from "../settings/index.ts";
import { createView, exitCodes, followTurn, interruptTwice } from "../terminal/index.ts";
import chart from "./chart.py";
import chartWithoutMatplotlib from "./chart-without-matplotlib.py";
import coffee from "./coffee.csv";
import read from "./read.py";
import { scriptedModel } from "./scripted-model.ts";
import sum from "./sum.py";
import sumAgain from "./sum-again.py";

const task = "What did each coffee shop take in that week? Show me a chart.";

export async function runTour(settings: Settings): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "interpreter-tour-"));
  writeFileSync(join(folder, "coffee.csv"), coffee);
  const unasked = { autoRun: true, approveWhat: "never" } as const;
  await using interpreter = new Interpreter({ ...settings, ...unasked, cwd: folder, model: scriptedModel([], 0) });
  const python = interpreter.sessions.find("python");
  if (!python || !(await interpreter.sessions.usable()).includes(python)) {
    throw new InputProblem(
      "The tour needs Python, and none was found.",
      "Install Python 3.8 or newer, or name one with --python PATH.",
    );
  }
  const check = await interpreter.computer.run(
    "python",
    'import importlib.util; importlib.util.find_spec("matplotlib") is not None',
  );
  const drawing = check.some((message) => message.content.trim() === "True") ? chart : chartWithoutMatplotlib;
  const pace = process.stdout.isTTY && !settings.json ? 25 : 0;
  interpreter.setModel(
    scriptedModel(
      [
        { says: "I will look at the file first. ", code: read },
        { says: "One row has no number of cups; I will see what that does to the sums. ", code: sum },
        { says: "The empty field cannot be a number. I leave that row out and say so. ", code: sumAgain },
        { says: "Now the chart. The variables are still there: it is the same Python session. ", code: drawing },
        {
          says: `Done. Station took the most, although one of its days has no number and is left out. The chart is in ${join(folder, "takings.png")}.`,
        },
      ],
      pace,
    ),
  );
  const view = createView(settings);
  process.on(
    "SIGINT",
    interruptTwice(() => interpreter.interrupt()),
  );
  view.print(`This is a scripted conversation: no model is used, and what it says was written in advance.
The code is real. It runs now, on this machine, in ${folder}

> ${task}
`);
  const end = await followTurn(interpreter, task, view);
  view.print(`
That was the tour. With a model it is your words and your files:
  export ANTHROPIC_API_KEY=…   (or OPENAI_API_KEY, GEMINI_API_KEY; or a local server: --model ollama/llama3.1)
  interpreter "what is in this folder?"
`);
  return exitCodes[end];
}
