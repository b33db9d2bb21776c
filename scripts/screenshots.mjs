// `node scripts/screenshots.mjs`: makes the pictures of the screen that the README shows. The real program in a real terminal, with
// a scripted model; what stands on the screen becomes an SVG.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pty from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { reply, run, say, scriptedModel } from "../test/support/scripted-model.ts";
import { toSvg } from "./screen-svg.mjs";

const root = join(import.meta.dirname, "..");
const images = join(root, "docs", "images");
mkdirSync(images, { recursive: true });

const sales = [
  "month,shop,cups,revenue",
  ...["Jan", "Feb", "Mar", "Apr", "May", "Jun"].flatMap((month, index) =>
    ["Harbour", "Station", "Museum"].map((shop, place) => {
      const cups = 900 + 140 * index + 210 * place - ((index * place * 37) % 290);
      return `${month},${shop},${cups},${(cups * (3.1 + place * 0.15)).toFixed(2)}`;
    }),
  ),
].join("\n");

const usage = (input, cached, output) => ({ usage: { input, cached, output } });

/** What is scripted, what is typed, and what is waited for before the picture is taken. */
const scenes = {
  chat: {
    title: "A chat: a question, the code, what it seems to do, a table and the answer",
    rows: 34,
    script: [
      reply(
        say("I will look at the file and add up each shop."),
        run(
          "python",
          'import pandas as pd\n\nsales = pd.read_csv("sales.csv")\nsales.groupby("shop", as_index=False)[["cups", "revenue"]].sum()',
        ),
        usage(1_180, 0, 96),
      ),
      reply(
        say(
          "**Museum** sold the most. In short:\n\n- *Museum* leads in cups and revenue\n- *Harbour* is last, but grows each month\n\nThe table is in `sales`; say if you want a chart.",
        ),
        usage(1_420, 1_152, 74),
      ),
    ],
    keys: ["Which shop sold the most coffee?\r", { see: "Run this?" }, "y\r", { see: /tokens .*\n> *$/ }],
  },
  chart: {
    title: "A chart drawn in the terminal",
    rows: 40,
    script: [
      reply(
        run(
          "python",
          'import matplotlib.pyplot as plt\nimport pandas as pd\n\nsales = pd.read_csv("sales.csv")\nsales.pivot(index="month", columns="shop", values="cups").loc[sales.month.unique()].plot(lw=4)\nplt.show()',
        ),
        usage(1_240, 1_024, 88),
      ),
      reply("All three shops grow; **Museum** stays on top.", usage(1_500, 1_280, 20)),
    ],
    flags: ["-y"],
    keys: ["Draw the cups of each shop by month.\r", { see: /tokens .*\n> *$/ }],
  },
  viewer: {
    title: "The viewer over a table of the live session",
    rows: 24,
    script: [],
    keys: [
      "%python import pandas as pd; sales = pd.read_csv('sales.csv')\r",
      { see: /\n> *$/ },
      "%view sales\r",
      { see: "revenue" },
      "\x1b[C\x1b[Cs",
      { see: /s/ },
    ],
  },
};

for (const [name, scene] of Object.entries(scenes)) {
  await using model = await scriptedModel(scene.script);
  const folder = mkdtempSync(join(tmpdir(), "screenshot-"));
  const place = join(folder, "coffee");
  mkdirSync(place);
  writeFileSync(join(place, "sales.csv"), sales);
  const screen = new xterm.Terminal({ cols: 92, rows: scene.rows, scrollback: 500, allowProposedApi: true });
  const { PATH } = process.env;
  const env = {
    PATH,
    LANG: "C.UTF-8",
    HOME: folder,
    INTERPRETER_HOME: join(folder, ".home"),
    INTERPRETER_PYTHON: join(root, ".venv", "bin", "python"),
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    SHELL: "/bin/bash",
  };
  const chosen = ["--model", "anthropic/claude-sonnet-4-5", "--api_base", model.anthropic, "--api_key", "scripted"];
  const child = pty.spawn(process.execPath, [join(root, "bin", "interpreter.js"), ...chosen, ...(scene.flags ?? [])], {
    cols: 92,
    rows: scene.rows,
    cwd: place,
    env,
  });
  child.onData((data) => screen.write(data));
  const text = () =>
    Array.from({ length: screen.buffer.active.length }, (_, line) =>
      screen.buffer.active.getLine(line).translateToString(true),
    )
      .join("\n")
      .trimEnd();
  const see = async (what) => {
    for (let tries = 0; !(typeof what === "string" ? text().includes(what) : what.test(text())); tries++) {
      if (tries > 500) throw new Error(`${name}: the screen never showed ${what}:\n${text()}`);
      await sleep(20);
    }
    await sleep(300);
  };
  await see(/\n> *$/);
  for (const key of scene.keys) {
    if (typeof key === "string") child.write(key);
    else await see(key.see);
  }
  writeFileSync(join(images, `${name}.svg`), toSvg(screen, scene.title, folder));
  child.kill();
  screen.dispose();
  rmSync(folder, { recursive: true, force: true });
  console.log(`docs/images/${name}.svg`);
}
process.exit(0);
