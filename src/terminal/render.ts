// Draws a stream of chunks. Finished lines belong to the terminal; only the line being written is ever painted again.

import type { EffectsReport } from "../agent/index.ts";
import type { Deliverables } from "../interpreter/index.ts";
import { type Chunk, tableIn } from "../messages/index.ts";
import { pictureFacts } from "../pictures/index.ts";
import { deliverablesTable } from "./deliverables.ts";
import { effectsLines } from "./effects/effects-line.ts";
import { createHighlighter } from "./highlight.ts";
import { createMarkdown } from "./markdown/index.ts";
import { OutputView } from "./output-view.ts";
import { type Canvas, drawPicture, fileLink, type ShownFiles } from "./pictures/index.ts";
import { createHolder, sanitize } from "./sanitize.ts";
import type { Style } from "./style.ts";
import { drawTable } from "./tables/index.ts";
import { Tail } from "./tail.ts";
import { endsLine } from "./text/ends-line.ts";
import { foldWords } from "./text/fold-words.ts";
import { wrap } from "./text/wrap.ts";
import type { Writer } from "./writer.ts";

export interface RenderOptions {
  writer: Writer;
  style: Style;
  /** Whether to leave out everything that is only there to look at. */
  plain: boolean;
  /** Columns of the terminal; undefined when it is not one. */
  columns: () => number | undefined;
  rows: () => number;
  /** Whether what is being written may be painted again. */
  live: boolean;
  /** How a person sees the output that was too long to show. */
  more?: string | undefined;
  /** How pictures are drawn here. */
  pictures: Pick<Canvas, "way" | "env">;
  /** Where pictures and pages are saved so that they can be opened. */
  files: ShownFiles;
}

export interface Renderer {
  draw(chunk: Chunk): void;
  /** Ends the current line, so that something else can be printed. */
  settle(): void;
}

export function createRenderer(options: RenderOptions): Renderer {
  const { writer, style, plain, live, columns, files } = options;
  const width = () => columns() ?? 80;
  const tail = new Tail({ writer, columns: width, rows: options.rows });
  const prose = createMarkdown(tail, style, width);
  let highlight = (line: string) => line;
  let line = "";
  let atLineStart = true;
  /** Of a picture or a page, until it is whole. */
  let gathered = "";
  let hold = createHolder();
  let output: OutputView | undefined;
  const indent = plain ? "" : "  ";

  function put(text: string): void {
    if (text === "") return;
    writer.write(text);
    atLineStart = endsLine(text);
  }

  function settle(): void {
    output?.settle();
    prose.end();
    if (!atLineStart) put("\n");
    atLineStart = true;
    line = "";
  }

  /** Words, as they come: markdown on a screen that can be painted again, and as they were written anywhere else. */
  function words(text: string): void {
    if (live) prose.write(text);
    else put(text);
  }

  /** Shows code as it is written; a line gets its colours when it is whole. */
  function code(text: string): void {
    const lines = sanitize(hold(text)).replaceAll("\t", "    ").split("\n");
    for (const [index, piece] of lines.entries()) {
      if (index > 0) endCodeLine();
      line += piece;
      if (live && line !== "") tail.show(codeRows(line, line));
      else if (piece !== "") put(line === piece ? `${indent}${piece}` : piece);
    }
  }

  function endCodeLine(): void {
    if (live) {
      tail.show(codeRows(line, highlight(line)));
      tail.commit();
    } else put("\n");
    line = "";
  }

  /** A line that is longer than the screen stays without colours: it is broken into rows. */
  function codeRows(text: string, painted: string): string[] {
    if (text === "") return [""];
    const rows = wrap([{ text }], { columns: width(), first: indent, rest: indent, style, words: false });
    return rows.length > 1 ? rows : [indent + painted];
  }

  function drawCode(chunk: Chunk): void {
    if (chunk.start) {
      settle();
      highlight = createHighlighter(chunk.format ?? "", style);
      const who = chunk.role === "user" ? "you ran " : "";
      const language = sanitize(chunk.format ?? "code");
      put(plain ? `\n\`\`\`${language}\n` : `\n${style.dim(`${who}${language}`)}\n`);
    } else if (chunk.end) {
      if (line !== "") endCodeLine();
      settle();
      if (plain) put("```\n");
    } else code(String(chunk.content));
  }

  function drawConsole(chunk: Chunk): void {
    if (chunk.start) {
      settle();
      // The words in it are for the model; the person knows what they answered.
      if (chunk.status === "refused") put(style.dim("Not run.\n"));
      else
        output = new OutputView({
          ...options,
          columns: width,
          gutter: plain ? "" : "│ ",
          tail: live ? tail : undefined,
        });
    } else if (chunk.end) {
      output?.end(chunk.outputFile);
      output = undefined;
      atLineStart = true;
    } else if (chunk.format === "output" && chunk.stream !== "stdin" && chunk.stream !== "terminal") {
      const table = live ? tableIn(chunk.bundle) : undefined;
      if (table) output?.addDrawn(drawTable(table, width() - 3, style));
      else output?.add(String(chunk.content), chunk.stream === "stderr");
    }
  }

  function showPicture(chunk: Chunk): void {
    if (chunk.start) gathered = "";
    else if (!chunk.end) gathered += chunk.content;
    else if (chunk.format?.startsWith("base64")) {
      settle();
      const file = Buffer.from(gathered, "base64");
      const { kind = "png", width: wide, height } = pictureFacts(file) ?? {};
      const { colour } = style;
      const screen = { ...options.pictures, columns: width(), rows: options.rows(), colour };
      const drawing = live ? drawPicture(file, screen) : undefined;
      if (drawing) put(drawing);
      showPath(drawing ? `picture, ${wide} × ${height}:` : "picture:", files.save("picture", kind, file));
    }
  }

  /** A page that code made is for a browser: the person is told where it is. */
  function showPage(chunk: Chunk): void {
    if (chunk.start) gathered = "";
    else if (!chunk.end) gathered += chunk.content;
    else {
      settle();
      showPath("page:", files.save("page", "html", gathered));
    }
  }

  function showPath(what: string, path: string): void {
    put(`${style.dim(what)} ${live ? fileLink(path, options.pictures.env) : path}\n`);
  }

  /** Our own sentences, broken between words where it can be seen how wide the screen is. */
  const fold = (text: string, hang: number): string => (live ? foldWords(text, width() - 1, hang) : text);

  function draw(chunk: Chunk): void {
    if (chunk.recipient === "assistant") return;
    if (chunk.start) hold = createHolder();
    switch (chunk.type) {
      case "message":
        if (chunk.role === "user") return;
        if (chunk.start) {
          settle();
          put("\n");
        } else if (chunk.end) settle();
        else words(sanitize(hold(String(chunk.content))));
        return;
      case "reasoning":
        if (chunk.start || chunk.end) settle();
        else put(style.dim(sanitize(hold(String(chunk.content)))));
        return;
      case "code":
        if (chunk.role !== "computer") drawCode(chunk);
        else if (chunk.format === "html") showPage(chunk);
        return;
      case "console":
        drawConsole(chunk);
        return;
      case "image":
        showPicture(chunk);
        return;
      case "deliverables": {
        settle();
        const { env } = options.pictures;
        const table = { columns: columns() ?? 100, style, files, live, env };
        for (const row of deliverablesTable(chunk.content as unknown as Deliverables, table)) put(row);
        return;
      }
      case "effects": {
        settle();
        const undo = options.more === undefined ? "interpreter undo" : "/undo";
        for (const row of effectsLines(chunk.content as unknown as EffectsReport, { style, undo })) put(fold(row, 2));
        return;
      }
      case "notice":
      case "error": {
        settle();
        const mark = chunk.type === "error" ? style.red("✗") : style.yellow("!");
        put(`${fold(`${mark} ${sanitize(String(chunk.content))}`, 2)}\n`);
        if (chunk.hint) put(`${style.dim(fold(`  ${sanitize(chunk.hint)}`, 0))}\n`);
      }
    }
  }

  return { draw, settle };
}
