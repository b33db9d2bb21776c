// A terminal's screen as an SVG: rows of text in their colours.

const cell = { width: 8.4, height: 18 };
const background = "#1e1e2e";
const foreground = "#d9e0ee";
const palette = [
  "#45475a",
  "#f38ba8",
  "#a6e3a1",
  "#f9e2af",
  "#89b4fa",
  "#cba6f7",
  "#94e2d5",
  "#bac2de",
  "#6c7086",
  "#f38ba8",
  "#a6e3a1",
  "#f9e2af",
  "#89b4fa",
  "#cba6f7",
  "#94e2d5",
  "#ffffff",
];

/** `title` says what is seen; `hidden` is a folder whose name stays out of the picture. */
export function toSvg(screen, title, hidden) {
  const buffer = screen.buffer.active;
  const rows = [];
  for (let row = 0; row < screen.rows; row++) rows.push(runsOf(buffer.getLine(buffer.baseY + row), screen.cols));
  while (rows.length > 1 && rows.at(-1).every(({ text }) => text.trim() === "")) rows.pop();
  const width = Math.ceil(screen.cols * cell.width + 32);
  const height = Math.ceil(rows.length * cell.height + 32);
  const body = rows.flatMap((runs, row) => runs.map((run) => drawRun(run, row, hidden))).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
<title>${title}</title>
<rect width="100%" height="100%" rx="8" fill="${background}"/>
${body}</svg>
`;
}

/** Neighbouring cells that look the same. */
function runsOf(line, columns) {
  const runs = [];
  for (let column = 0; column < columns; column++) {
    const at = line?.getCell(column);
    if (!at || at.getWidth() === 0) continue;
    const look = lookOf(at);
    const text = at.getChars() || " ";
    const last = runs.at(-1);
    const halves = text === "▀" || text === "▄";
    if (last && last.key === look.key && !halves && !last.halves) last.text += text;
    else runs.push({ ...look, column, text, halves });
  }
  return runs;
}

function lookOf(at) {
  const inverse = at.isInverse();
  const front = colour(at.isFgRGB(), at.isFgPalette(), at.getFgColor()) ?? foreground;
  const back = colour(at.isBgRGB(), at.isBgPalette(), at.getBgColor());
  const fill = inverse ? (back ?? background) : front;
  const behind = inverse ? front : back;
  const marks = [at.isBold() && "b", at.isDim() && "d", at.isItalic() && "i", at.isUnderline() && "u"].filter(Boolean);
  return { key: [fill, behind, ...marks].join(), fill, behind, marks };
}

function colour(rgb, fromPalette, value) {
  if (rgb) return `#${value.toString(16).padStart(6, "0")}`;
  if (!fromPalette) return undefined;
  if (value < 16) return palette[value];
  if (value >= 232) return `rgb(${Array(3).fill(8 + (value - 232) * 10)})`;
  const level = (step) => (step === 0 ? 0 : 55 + step * 40);
  const index = value - 16;
  return `rgb(${level(Math.floor(index / 36))},${level(Math.floor(index / 6) % 6)},${level(index % 6)})`;
}

function drawRun({ column, text: written, fill, behind, marks, halves }, row, hidden) {
  const text = written.replaceAll(hidden, "~");
  const x = (16 + column * cell.width).toFixed(1);
  const y = 16 + row * cell.height;
  const width = (text.length * cell.width).toFixed(1);
  const box = (top, height, paint) =>
    `<rect x="${x}" y="${top}" width="${Number(width) + 0.4}" height="${height + 0.4}" fill="${paint}"/>`;
  if (halves) {
    const half = cell.height / 2;
    const [top, bottom] = text === "▀" ? [fill, behind] : [behind, fill];
    return (top ? box(y, half, top) : "") + (bottom ? box(y + half, half, bottom) : "");
  }
  const shown = behind ? box(y, cell.height, behind) : "";
  if (text.trim() === "") return shown;
  const attributes = [
    marks.includes("b") ? ' font-weight="bold"' : "",
    marks.includes("i") ? ' font-style="italic"' : "",
    marks.includes("u") ? ' text-decoration="underline"' : "",
    marks.includes("d") ? ' opacity="0.6"' : "",
  ].join("");
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `${shown}<text x="${x}" y="${y + 13.5}" fill="${fill}"${attributes} xml:space="preserve" textLength="${width}" lengthAdjust="spacingAndGlyphs">${escaped}</text>`;
}
