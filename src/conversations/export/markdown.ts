// A conversation as markdown: what the person said is quoted, code and output are fenced, pictures are files beside it.

import type { Message } from "../../messages/index.ts";
import type { Beside } from "./index.ts";
import { type BlockPart, oneLine, type Part, pictureType, statusOf } from "./parts.ts";

export interface MarkdownOptions {
  title: string;
  /** Said before everything else. */
  preface?: string;
  /** The folder that pictures go to, as the text names it; without one they are inside the text. */
  pictures?: string;
}

export function toMarkdown(parts: readonly Part[], options: MarkdownOptions): { text: string; beside: Beside[] } {
  const beside: Beside[] = [];
  const picture = (message: Message): string => {
    const type = pictureType(message)!;
    if (options.pictures === undefined) return `![](data:${type};base64,${message.content})`;
    const name = `${options.pictures}/picture-${beside.length + 1}.${type === "image/png" ? "png" : "jpg"}`;
    beside.push({ name, content: Buffer.from(message.content, "base64") });
    return `![](${encodeURI(name).replaceAll("(", "%28").replaceAll(")", "%29")})`;
  };
  const shown = (message: Message): string => {
    if (pictureType(message)) return picture(message);
    if (message.type === "code") return fenced(message.format ?? "", message.content);
    if (message.type === "console") return message.content.trim() === "" ? "" : fenced("text", message.content);
    if (message.type === "image" && message.format === "path") return `![](${encodeURI(message.content)})`;
    return message.type === "file" ? `File: ${inCode(message.content)}` : message.content.trim();
  };
  const block = (part: BlockPart): string[] => {
    const status = statusOf(part);
    const remark = status === "ok" ? [] : [`*${remarks[status]}*`];
    return [fenced(part.code.format ?? "", part.code.content), ...remark, ...part.results.map(shown)];
  };
  const said = (message: Message): string => {
    if (message.type === "reasoning") return `<details><summary>Thinking</summary>\n\n${message.content}\n\n</details>`;
    const text = shown(message);
    return message.role === "user" && message.type === "message" ? quoted(text) : text;
  };
  const texts = parts.flatMap((part) => (part.kind === "block" ? block(part) : [said(part.message)]));
  const whole = [`# ${oneLine(options.title)}`, ...(options.preface ? [options.preface] : []), ...texts];
  return { text: `${whole.filter((text) => text.trim() !== "").join("\n\n")}\n`, beside };
}

/** What is said about a block that did not go well. */
export const remarks = {
  error: "It failed.",
  interrupted: "It was interrupted.",
  timeout: "It was stopped: it took too long.",
  refused: "It was not run.",
  exited: "The session ended with it.",
  "not-run": "It was not run.",
} as const;

/** Each line with its mark, so that it can be taken off again exactly. */
export const quoted = (text: string): string =>
  text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");

/** With a fence that is longer than any in the text. */
export function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

function inCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  return longest > 0 ? `${ticks} ${text} ${ticks}` : `${ticks}${text}${ticks}`;
}
