// Draws a stream of chunks. Finished lines belong to the terminal; only the line being written is ever painted again.

import { writeFileSync } from "node:fs";
import type { Chunk } from "../messages/index.ts";
import { halfBlocks } from "./half-blocks.ts";
import { createHighlighter } from "./highlight.ts";
import { OutputView } from "./output-view.ts";
import { decodePng } from "./png.ts";
import { sanitize } from "./sanitize.ts";
import type { Style } from "./style.ts";
import type { Writer } from "./writer.ts";

export interface RenderOptions {
  writer: Writer;
  style: Style;
  /** Whether to leave out everything that is only there to look at. */
  plain: boolean;
  /** Columns of the terminal; undefined when it is not one. */
  columns: () => number | undefined;
  /** Where a picture is saved so that it can be opened. */
  pictureFile: () => string;
}

export interface Renderer {
  draw(chunk: Chunk): void;
  /** Ends the current line, so that something else can be printed. */
  settle(): void;
}

export function createRenderer({ writer, style, plain, columns, pictureFile }: RenderOptions): Renderer {
  let highlight = (line: string) => line;
  let line = "";
  let atLineStart = true;
  let picture = "";
  let output: OutputView | undefined;
  const indent = plain ? "" : "  ";

  function put(text: string): void {
    if (text === "") return;
    writer.write(text);
    atLineStart = text.endsWith("\n");
  }

  function settle(): void {
    output?.settle();
    if (!atLineStart) put("\n");
    line = "";
  }

  /** Shows code as it is written; a line gets its colours when it is whole. */
  function code(text: string): void {
    const lines = sanitize(text).replaceAll("\t", "    ").split("\n");
    for (const [index, piece] of lines.entries()) {
      if (index > 0) {
        repaint();
        put("\n");
        line = "";
      }
      if (piece === "") continue;
      put(line === "" ? `${indent}${piece}` : piece);
      line += piece;
    }
  }

  function repaint(): void {
    const painted = highlight(line);
    const width = columns();
    if (painted === line || width === undefined || line.length + indent.length >= width) return;
    writer.write(`\r\x1b[K${indent}${painted}`);
  }

  function drawCode(chunk: Chunk): void {
    if (chunk.start) {
      settle();
      highlight = createHighlighter(chunk.format ?? "", style);
      const who = chunk.role === "user" ? "you ran " : "";
      const language = sanitize(chunk.format ?? "code");
      put(plain ? `\n\`\`\`${language}\n` : `\n${style.dim(`${who}${language}`)}\n`);
    } else if (chunk.end) {
      if (line !== "") repaint();
      settle();
      if (plain) put("```\n");
    } else code(String(chunk.content));
  }

  function drawConsole(chunk: Chunk): void {
    if (chunk.start) {
      settle();
      // The words in it are for the model; the person knows what they answered.
      if (chunk.status === "refused") put(style.dim("Not run.\n"));
      else output = new OutputView(writer, style, plain ? "" : "│ ");
    } else if (chunk.end) {
      output?.end(chunk.outputFile);
      output = undefined;
      atLineStart = true;
    } else if (chunk.format === "output" && chunk.stream !== "stdin" && chunk.stream !== "terminal") {
      output?.add(String(chunk.content), chunk.stream === "stderr");
    }
  }

  function drawPicture(chunk: Chunk): void {
    if (chunk.start) picture = "";
    else if (!chunk.end) picture += chunk.content;
    else if (chunk.format?.startsWith("base64")) {
      settle();
      const path = pictureFile();
      const file = Buffer.from(picture, "base64");
      writeFileSync(path, file, { mode: 0o600 });
      const width = columns();
      const pixels = style.colour && width !== undefined ? decodePng(file) : undefined;
      if (pixels && width) put(`${halfBlocks(pixels, Math.min(width - 2, 100), 24)}\n`);
      put(`${style.dim(pixels ? `picture, ${pixels.width} × ${pixels.height}:` : "picture:")} ${path}\n`);
    }
  }

  function draw(chunk: Chunk): void {
    if (chunk.recipient === "assistant") return;
    switch (chunk.type) {
      case "message":
        if (chunk.role === "user") return;
        if (chunk.start) {
          settle();
          put("\n");
        } else if (chunk.end) settle();
        else put(sanitize(String(chunk.content)));
        return;
      case "reasoning":
        if (chunk.start || chunk.end) settle();
        else put(style.dim(sanitize(String(chunk.content))));
        return;
      case "code":
        if (chunk.role === "computer") return;
        drawCode(chunk);
        return;
      case "console":
        drawConsole(chunk);
        return;
      case "image":
        drawPicture(chunk);
        return;
      case "notice":
      case "error": {
        settle();
        const mark = chunk.type === "error" ? style.red("✗") : style.yellow("!");
        put(`${mark} ${sanitize(String(chunk.content))}\n`);
        if (chunk.hint) put(`${style.dim(`  ${sanitize(chunk.hint)}`)}\n`);
      }
    }
  }

  return { draw, settle };
}
