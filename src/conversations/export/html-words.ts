// The markdown that models write, as HTML: headings, lists, tables, quotes, fences, emphasis, links. Everything else is text.

import { escaped } from "./html-escape.ts";

type Colour = (language: string, code: string) => string;

export function wordsToHtml(text: string, colour: Colour): string {
  return blocks(text.replaceAll("\r\n", "\n").trim().split("\n"), colour, 0);
}

const deepest = 8;

function blocks(lines: readonly string[], colour: Colour, depth: number): string {
  const out: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at]!;
    const fence = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/.exec(line);
    const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line);
    if (line.trim() === "") at++;
    else if (fence) {
      const close = new RegExp(`^ {0,3}${fence[1]![0]}{${fence[1]!.length},}\\s*$`);
      const end = lines.findIndex((each, index) => index > at && close.test(each));
      const code = lines.slice(at + 1, end === -1 ? lines.length : end).join("\n");
      out.push(`<pre class="code"><code>${colour(fence[2]!.toLowerCase(), code)}</code></pre>`);
      at = end === -1 ? lines.length : end + 1;
    } else if (heading) {
      // The page has its own first heading.
      const level = Math.min(6, heading[1]!.length + 1);
      out.push(`<h${level}>${inline(heading[2]!)}</h${level}>`);
      at++;
    } else if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line)) {
      out.push("<hr>");
      at++;
    } else if (/^\s*>/.test(line) && depth < deepest) {
      const end = endOf(lines, at, (each) => /^\s*>/.test(each));
      const inner = lines.slice(at, end).map((each) => each.replace(/^\s*> ?/, ""));
      out.push(`<blockquote>${blocks(inner, colour, depth + 1)}</blockquote>`);
      at = end;
    } else if (line.includes("|") && /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(lines[at + 1] ?? "")) {
      const end = endOf(lines, at, (each) => each.includes("|"));
      out.push(table(lines.slice(at, end)));
      at = end;
    } else if (item.test(line) && depth < deepest) {
      const { html, end } = list(lines, at, colour, depth);
      out.push(html);
      at = end;
    } else {
      const end = endOf(
        lines,
        at + 1,
        (each) => each.trim() !== "" && !/^(#{1,6}\s|\s*>| {0,3}(```|~~~))/.test(each) && !item.test(each),
      );
      out.push(`<p>${lines.slice(at, end).map(inline).join("<br>")}</p>`);
      at = end;
    }
  }
  return out.join("");
}

/** The first line from `at` on that does not belong any more. */
function endOf(lines: readonly string[], at: number, belongs: (line: string) => boolean): number {
  let end = at;
  while (end < lines.length && belongs(lines[end]!)) end++;
  return end;
}

const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;

function list(lines: readonly string[], from: number, colour: Colour, depth: number) {
  const [, margin = "", mark = ""] = item.exec(lines[from]!)!;
  const ordered = /\d/.test(mark);
  const items: string[][] = [];
  let at = from;
  for (; at < lines.length; at++) {
    const line = lines[at]!;
    const next = item.exec(line);
    const indent = /^\s*/.exec(line)![0].length;
    if (next && indent <= margin.length + 1 && /\d/.test(next[2]!) === ordered && indent >= margin.length)
      items.push([next[3]!]);
    else if (line.trim() === "" && (item.test(lines[at + 1] ?? "") || /^\s{2,}\S/.test(lines[at + 1] ?? "")))
      items.at(-1)!.push("");
    else if (line.trim() !== "" && indent > margin.length)
      items.at(-1)!.push(line.slice(Math.min(indent, margin.length + mark.length + 1)));
    else break;
  }
  const tag = ordered ? "ol" : "ul";
  const start = ordered && Number.parseInt(mark, 10) !== 1 ? ` start="${Number.parseInt(mark, 10)}"` : "";
  const inner = items.map((each) => {
    const html = blocks(each, colour, depth + 1);
    // One paragraph alone needs no space around it.
    return `<li>${/^<p>[\s\S]*<\/p>$/.test(html) && html.indexOf("<p>", 1) === -1 ? html.slice(3, -4) : html}</li>`;
  });
  return { html: `<${tag}${start}>${inner.join("")}</${tag}>`, end: at };
}

function table([head = "", , ...rows]: readonly string[]): string {
  const cells = (row: string): string[] =>
    row
      .trim()
      .replace(/^\||\|$/g, "")
      .split(/(?<!\\)\|/)
      .map((cell) => inline(cell.trim().replaceAll("\\|", "|")));
  const line = (row: string, tag: string): string =>
    `<tr>${cells(row)
      .map((cell) => `<${tag}>${cell}</${tag}>`)
      .join("")}</tr>`;
  const body = rows.map((row) => line(row, "td")).join("");
  return `<div class="table"><table><thead>${line(head, "th")}</thead><tbody>${body}</tbody></table></div>`;
}

const marks =
  /(`+)(?!`)([\s\S]*?[^`])\1(?!`)|\*\*(?=\S)([\s\S]*?\S)\*\*|(?<!\w)__(?=\S)([\s\S]*?\S)__(?!\w)|\*(?=\S)([^*]*?\S)\*|(?<!\w)_(?=\S)([^_]*?\S)_(?!\w)|~~(?=\S)([\s\S]*?\S)~~|(!?)\[([^\]]*)\]\(([^()\s]+)\)|(https?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?])/g;

function inline(text: string): string {
  let html = "";
  let at = 0;
  for (const match of text.matchAll(marks)) {
    const [whole, , code, bold1, bold2, slanted1, slanted2, struck, isPicture, words, target, address] = match;
    html += escaped(text.slice(at, match.index));
    at = match.index + whole.length;
    if (code !== undefined) html += `<code>${escaped(code.trim())}</code>`;
    else if (bold1 ?? bold2) html += `<strong>${inline((bold1 ?? bold2)!)}</strong>`;
    else if (slanted1 ?? slanted2) html += `<em>${inline((slanted1 ?? slanted2)!)}</em>`;
    else if (struck) html += `<del>${inline(struck)}</del>`;
    else if (address) html += link(address, escaped(address));
    else if (isPicture) html += picture(target!, words!);
    else html += link(target!, inline(words!));
  }
  return html + escaped(text.slice(at));
}

/** Only what a browser opens, never what it runs. */
const link = (target: string, words: string): string =>
  /^(https?:\/\/|mailto:)/i.test(target) ? `<a href="${escaped(target)}" rel="noreferrer">${words}</a>` : words;

const picture = (target: string, words: string): string =>
  /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(target)
    ? `<img alt="${escaped(words)}" src="${target}">`
    : escaped(words || target);
