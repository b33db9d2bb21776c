// A conversation as one page that needs nothing else: no network, no script. Whatever is in it is text; nothing in it runs.

import { type Message, type Table, tableIn, withoutEscapes } from "../../messages/index.ts";
import { escaped, plainTable } from "./html-escape.ts";
import { look } from "./html-look.ts";
import { wordsToHtml } from "./html-words.ts";
import { remarks } from "./markdown.ts";
import { type BlockPart, oneLine, type Part, pictureType, statusOf } from "./parts.ts";

export interface HtmlOptions {
  title: string;
  preface?: string;
  /** Code as HTML, with colours; without one it has none. */
  highlight?(language: string, code: string): string;
}

/** Even if something slipped through: the page may load nothing and run nothing. */
const policy =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'";

export function toHtml(parts: readonly Part[], { title, preface, highlight }: HtmlOptions): string {
  const name = escaped(oneLine(title));
  const colour = highlight ?? ((_language: string, code: string) => escaped(code));
  const body = parts.map((part) => (part.kind === "block" ? block(part, colour) : said(part.message, colour)));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${name}</title>
<style>${look}</style>
</head>
<body>
<main>
<h1>${name}</h1>
${preface ? `<div class="preface">${wordsToHtml(preface, colour)}</div>\n` : ""}${body.filter((text) => text !== "").join("\n")}
</main>
</body>
</html>
`;
}

type Colour = (language: string, code: string) => string;

function block(part: BlockPart, colour: Colour): string {
  const { format = "", content, role } = part.code;
  const status = statusOf(part);
  const remark = status === "ok" ? "" : `<p class="remark">${remarks[status]}</p>`;
  const label = `<div class="label">${escaped(format)}${role === "user" ? " · run by the person" : ""}</div>`;
  const code = `${label}<pre class="code"><code>${colour(format, content.replace(/\n$/, ""))}</code></pre>`;
  const results = part.results.map((message) => shown(message, colour)).join("");
  return `<section class="block ${status}">${code}${remark}${results && `<div class="results">${results}</div>`}</section>`;
}

function said(message: Message, colour: Colour): string {
  const { role, type, content } = message;
  if (type === "reasoning")
    return `<details class="thinking"><summary>Thinking</summary>${wordsToHtml(content, colour)}</details>`;
  if (type !== "message") return `<div class="${role === "user" ? "user" : "words"}">${shown(message, colour)}</div>`;
  // What a person typed is meant as they typed it.
  if (role === "user") return `<div class="user typed">${escaped(content.trim())}</div>`;
  return `<div class="words">${wordsToHtml(content, colour)}</div>`;
}

function shown(message: Message, colour: Colour): string {
  const { type, format, content, bundle } = message;
  const picture = pictureType(message);
  if (picture)
    return `<p class="picture"><img alt="" src="data:${picture};base64,${content.replace(/[^A-Za-z0-9+/=]/g, "")}"></p>`;
  if (type === "code" && format === "html") return page(content);
  if (type === "code") return `<pre class="code"><code>${colour(format ?? "", content)}</code></pre>`;
  if (type === "file" || type === "audio" || format === "path") return `<p>File: <code>${escaped(content)}</code></p>`;
  if (type !== "console") return `<p>${escaped(content)}</p>`;
  const table = tableIn(bundle) ?? plainTable(bundle?.["text/html"]);
  const plain = String(bundle?.["text/plain"] ?? "");
  const at = table && plain !== "" ? content.lastIndexOf(plain) : -1;
  if (!table || at === -1) return printed(content);
  return printed(content.slice(0, at)) + drawn(table) + printed(content.slice(at + plain.length));
}

const printed = (text: string): string =>
  text.trim() === "" ? "" : `<pre class="output">${escaped(withoutEscapes(text).replace(/^\n+|\s+$/g, ""))}</pre>`;

/** A page that code has made: in a frame where nothing runs and nothing is loaded. */
const page = (html: string): string =>
  `<iframe sandbox="" title="A page that was shown" srcdoc="${escaped(html)}"></iframe>`;

function drawn({ columns, rows, total, gap, remark }: Table): string {
  const cells = (values: readonly (string | number | null)[], tag: (index: number) => string): string =>
    values
      .map((value, index) => {
        const side = columns[index]?.numeric ? ' class="number"' : "";
        const skipped = gap?.at === index ? "<td>…</td>" : "";
        return `${skipped}<${tag(index)}${side}>${escaped(value === null ? "" : String(value))}</${tag(index)}>`;
      })
      .join("");
  const head = cells(
    columns.map(({ name }) => name),
    () => "th",
  );
  const lines = rows.map((row) => `<tr>${cells(row, (index) => (columns[index]?.index ? "th" : "td"))}</tr>`);
  const more = total > rows.length ? `${rows.length} of ${total} rows` : "";
  const below = [more, remark ?? ""].filter((words) => words !== "").join(". ");
  return `<div class="table"><table><thead><tr>${head}</tr></thead><tbody>${lines.join("")}</tbody></table></div>${
    below && `<p class="remark">${escaped(below)}</p>`
  }`;
}
