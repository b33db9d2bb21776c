// The difference between two texts, as a unified diff.

const context = 3;
const mostChanges = 1_000;

type Line = [sign: " " | "-" | "+", text: string];

export function unifiedDiff(path: string, before: string, after: string): string {
  const [old, young] = [linesOf(before), linesOf(after)];
  const hunks = hunksOf(script(old, young));
  if (hunks.length === 0) return "";
  return [`--- ${path}`, `+++ ${path}`, ...hunks, ""].join("\n");
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  else lines.push(`${lines.pop()}\n\\ No newline at end of file`);
  return lines;
}

/** Every line of both, each with its sign. */
function script(old: string[], young: string[]): Line[] {
  let head = 0;
  while (head < old.length && head < young.length && old[head] === young[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < young.length - head && old.at(-1 - tail) === young.at(-1 - tail)) tail++;
  const same = (lines: string[]) => lines.map((text): Line => [" ", text]);
  return [
    ...same(old.slice(0, head)),
    ...shortest(old.slice(head, old.length - tail), young.slice(head, young.length - tail)),
    ...same(old.slice(old.length - tail)),
  ];
}

/** Myers' greedy search for the fewest changes; very different texts are replaced whole. */
function shortest(old: string[], young: string[]): Line[] {
  const whole: Line[] = [...old.map((text): Line => ["-", text]), ...young.map((text): Line => ["+", text])];
  if (old.length === 0 || young.length === 0) return whole;
  const most = Math.min(mostChanges, old.length + young.length);
  const reached = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  for (let changes = 0; changes <= most; changes++) {
    trace.push(reached.slice());
    for (let k = -changes; k <= changes; k += 2) {
      const at = most + 1 + k;
      const down = k === -changes || (k !== changes && reached[at - 1]! < reached[at + 1]!);
      let x = down ? reached[at + 1]! : reached[at - 1]! + 1;
      while (x < old.length && x - k < young.length && old[x] === young[x - k]) x++;
      reached[at] = x;
      if (x >= old.length && x - k >= young.length) return walkBack(old, young, trace, most);
    }
  }
  return whole;
}

function walkBack(old: string[], young: string[], trace: Int32Array[], most: number): Line[] {
  const lines: Line[] = [];
  let [x, y] = [old.length, young.length];
  for (let changes = trace.length - 1; changes >= 0; changes--) {
    const reached = trace[changes]!;
    const k = x - y;
    const at = most + 1 + k;
    const down = k === -changes || (k !== changes && reached[at - 1]! < reached[at + 1]!);
    const fromX = changes === 0 ? 0 : down ? reached[at + 1]! : reached[at - 1]!;
    const fromY = changes === 0 ? 0 : fromX - (down ? k + 1 : k - 1);
    while (x > fromX && y > fromY) {
      lines.push([" ", old[--x]!]);
      y--;
    }
    if (changes === 0) break;
    lines.push(down ? ["+", young[--y]!] : ["-", old[--x]!]);
  }
  return lines.reverse();
}

function hunksOf(lines: Line[]): string[] {
  const hunks: string[] = [];
  let [oldLine, youngLine] = [1, 1];
  let open: { old: number; young: number; lines: Line[]; quiet: number } | undefined;
  const close = () => {
    if (!open) return;
    const kept = open.lines.slice(0, open.lines.length - Math.max(0, open.quiet - context));
    const count = (sign: "-" | "+") => kept.filter(([each]) => each === " " || each === sign).length;
    const [olds, youngs] = [count("-"), count("+")];
    const range = (line: number, lines: number) => `${lines === 0 ? line - 1 : line},${lines}`;
    hunks.push(
      `@@ -${range(open.old, olds)} +${range(open.young, youngs)} @@`,
      ...kept.map(([sign, text]) => sign + text),
    );
    open = undefined;
  };
  for (const [index, line] of lines.entries()) {
    if (line[0] !== " ") {
      if (!open) {
        const before = lines.slice(Math.max(0, index - context), index);
        open = { old: oldLine - before.length, young: youngLine - before.length, lines: before, quiet: 0 };
      }
      open.quiet = 0;
    } else if (open) open.quiet++;
    open?.lines.push(line);
    if (open && open.quiet > 2 * context) close();
    if (line[0] !== "+") oldLine++;
    if (line[0] !== "-") youngLine++;
  }
  close();
  return hunks;
}
