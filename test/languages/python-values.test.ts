// Values are shown richly to people and within bounds to the model.

import { describe, expect, test } from "vitest";
import { python } from "../../src/languages/python/index.ts";
import { startSession } from "../support/session.ts";

async function shown(code: string) {
  await using session = await startSession(python);
  const ran = await session.run(code);
  return { ...ran, text: ran.displayed.at(-1) ?? "", bundle: ran.bundles.at(-1) ?? {} };
}

describe("large values", () => {
  test("ten million numbers are head, tail and how many are between", async () => {
    const { text } = await shown("list(range(10_000_000))");
    expect(text).toMatch(/^\[0, 1, 2, /);
    expect(text).toMatch(/98, 99,\s+… 9,999,880 more …, 9999980, /);
    expect(text).toMatch(/9999999\]$/);
    expect(text.length).toBeLessThan(2_000);
  });

  test.each([
    ["inside something small", "{'a': [list(range(1_000_000))] * 3}", 5_000],
    ["a dictionary", "{i: str(i) for i in range(500_000)}", 5_000],
    ["a set", "set(range(500_000))", 5_000],
    ["the keys of a dictionary", "dict.fromkeys(range(500_000)).keys()", 5_000],
    ["a string in a list", "['x' * 100_000_000]", 5_000],
    ["a string", "'x' * 100_000_000", 1_001_000],
    ["bytes", "bytes(100_000_000)", 5_000_000],
    ["many middling lists", "[[i] * 900 for i in range(900)]", 100_000],
    ["one that contains itself", "a = [1]\na.append(a)\na", 100],
  ])("%s", async (_, code, longest) => {
    const { text, end } = await shown(code);
    expect(end.status).toBe("ok");
    expect(text.length).toBeLessThan(longest);
  });

  test("small ones are whole, and look as Python writes them", async () => {
    await using session = await startSession(python);
    const values = ["[1, 'a', None, {'k': (1,)}]", "{'a': {1}, 'b': [b'x']}", "(1,)", "range(0, 5)", "frozenset({1})"];
    for (const value of values) expect((await session.run(value)).displayed).toEqual([value]);
    const { displayed } = await session.run(
      "from collections import *\n[Counter('aab'), deque([1], maxlen=2), defaultdict(int, a=1)]",
    );
    expect(displayed).toEqual([
      "[Counter({'a': 2, 'b': 1}), deque([1], maxlen=2), defaultdict(<class 'int'>, {'a': 1})]",
    ]);
    expect((await session.run("list(range(1000))")).displayed[0]).not.toContain("…");
  });

  test("a subclass keeps the text it has chosen", async () => {
    const { text } = await shown("class Mine(list):\n    def __repr__(self): return 'mine'\nMine(range(9))");
    expect(text).toBe("mine");
  });
});

describe("tables", () => {
  const frame =
    "import numpy as np, pandas as pd\ndf = pd.DataFrame({'a': range(100), 'b': ['x', None] * 50, 'c': np.linspace(0, 1, 100)})\n";

  test("a long data frame is head and tail, with types and nulls below; its HTML is whole", async () => {
    const { text, bundle } = await shown(`${frame}df`);
    expect(text.split("\n").length).toBeLessThan(20);
    expect(text).toContain("[100 rows x 3 columns]\ndtypes: a int64, b ");
    expect(text).toMatch(/b \w+ \(50 null\), c float64$/);
    expect(bundle["text/html"]).toContain("100 rows × 3 columns");
  });

  test("a short one is as pandas writes it", async () => {
    const { text, stdout } = await shown(`${frame}print(df.head(3))\ndf.head(3)`);
    expect(`${text}\n`).toBe(stdout);
  });

  test("what the person has set counts", async () => {
    const { text } = await shown(`${frame}pd.set_option('display.max_rows', None)\ndf`);
    expect(text.split("\n").length).toBeGreaterThan(100);
  });

  test("a series, a styled frame, polars and arrow", async () => {
    await using session = await startSession(python);
    const series = await session.run(`${frame}df['c']`);
    expect(series.displayed[0]).toContain("Length: 100, dtype: float64");
    const styled = await session.run("df.head(2).style.highlight_max('a')");
    expect(styled.displayed[0]).toContain("a ");
    expect(styled.bundles[0]!["text/html"]).toContain("<table");
    const polars = await session.run("import polars as pl\npl.DataFrame({'a': range(100)})");
    expect(polars.displayed[0]).toContain("shape: (100, 1)");
    expect(polars.bundles[0]!["text/html"]).toContain("<table");
    const arrow = await session.run("import pyarrow as pa\npa.table({'a': range(100000)})");
    expect(arrow.displayed[0]).toContain("a: int64");
    expect(arrow.displayed[0]!.length).toBeLessThan(2_000);
  });

  test("a large array says its shape", async () => {
    expect((await shown("import numpy as np\nnp.zeros((2000, 3))")).text).toMatch(/shape[ =]\(2000, 3\)/);
  });
});

describe("charts and pictures", () => {
  test("a PIL image is a PNG", async () => {
    const { bundle } = await shown("from PIL import Image\nImage.new('RGB', (4, 4), 'red')");
    expect(Buffer.from(String(bundle["image/png"]), "base64").toString("latin1", 1, 4)).toBe("PNG");
  });

  test.each([
    ["as a value", "figure"],
    ["by show()", "figure.show()"],
  ])("plotly shown %s is its JSON with a line of text, and opens no browser", async (_, code) => {
    const { bundle, stderr } = await shown(
      `import plotly.graph_objects as go, webbrowser\nwebbrowser.get = webbrowser.open = None\nfigure = go.Figure(go.Bar(x=['a', 'b'], y=[1, 2], name='sales'), layout={'title': 'Year'})\n${code}`,
    );
    expect(stderr).toBe("");
    expect(bundle["text/plain"]).toBe('plotly Figure "Year": bar "sales" (2 points)');
    expect(bundle["application/vnd.plotly.v1+json"]).toMatchObject({ data: [{ type: "bar" }] });
    expect(JSON.stringify(bundle)).not.toContain("cdn.plot.ly");
  });

  test.each([
    ["as a value", ""],
    ["by show()", ".show()"],
  ])("altair shown %s is its specification with a line of text", async (_, call) => {
    const { bundle } = await shown(
      `import altair as alt, pandas as pd\n(alt.Chart(pd.DataFrame({'a': [1, 2], 'b': [3, 4]})).mark_bar().encode(x='a:O', y='b:Q'))${call}`,
    );
    expect(bundle["text/plain"]).toBe("altair: bar Chart, x a, y b, 2 rows");
    const mime = Object.keys(bundle).find((key) => key.startsWith("application/vnd.vegalite."));
    expect(bundle[mime!]).toMatchObject({ mark: { type: "bar" } });
  });

  test("bokeh's show() gives a page that needs no network", async () => {
    const { bundle, stderr } = await shown(
      "from bokeh.plotting import figure, show\np = figure(title='Line')\np.line([1, 2], [3, 4])\nshow(p)",
    );
    expect(stderr).toBe("");
    expect(bundle["text/plain"]).toBe('bokeh figure "Line": Line');
    expect(bundle["text/html"]).toMatch(/^\s*<!DOCTYPE html>/);
    expect(/^\s*<script[^>]*\bsrc=/m.test(String(bundle["text/html"]))).toBe(false);
  });

  test("an estimator is text and HTML", async () => {
    const { bundle } = await shown("from sklearn.linear_model import LinearRegression\nLinearRegression()");
    expect(bundle["text/plain"]).toBe("LinearRegression()");
    expect(bundle["text/html"]).toContain("LinearRegression");
  });

  test("a value may show itself", async () => {
    const { stdout, bundles } = await shown("class Shy:\n    def _ipython_display_(self): print('me')\nShy()");
    expect([stdout, bundles]).toEqual(["me\n", []]);
  });
});

test("display(…, display_id=…) can be updated without IPython being loaded", async () => {
  await using session = await startSession(python);
  const { events, displayed } = await session.run(
    "handle = display(1, display_id='counter')\nhandle.update(2)\nimport sys\n'IPython' in sys.modules",
  );
  expect(events.filter((event) => event.type === "display")).toMatchObject([
    { id: "counter", bundle: { "text/plain": "1" } },
    { id: "counter", update: true, bundle: { "text/plain": "2" } },
    {},
  ]);
  expect(displayed.at(-1)).toBe("False");
});
