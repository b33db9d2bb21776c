// What a cell of any notebook has shown, as the messages that a step of our own would have left.

import { createFolder, type Message, type MimeBundle, withoutEscapes } from "../../messages/index.ts";
import { type Cell, joined, type Output, wholeBundle } from "../notebook/format.ts";
import type { CellOptions } from "./cells.ts";

const widget = "application/vnd.jupyter.widget-view+json";
const largestPicture = 20_000_000;
const largestForm = 2_000_000;

const console = { role: "computer", type: "console" } as const;

export function outputMessages(cell: Cell, id: string, options: CellOptions): Message[] {
  const outputs = cell.outputs ?? [];
  const notRun = outputs.length === 0 && typeof cell.execution_count !== "number";
  if (notRun)
    return [
      {
        ...console,
        format: "output",
        id,
        status: "not-run",
        content: "Not run: the notebook has no output of this cell.\n",
      },
    ];
  const messages: Message[] = [];
  let text = "";
  let bundle: MimeBundle | undefined;

  /** What was printed so far is a message of its own; the last one says how the cell ended. */
  function print(end?: { status: "ok" | "error" }): void {
    if (text !== "" || (end && messages.length === 0)) {
      const large = text.length > options.maxOutput;
      const outputFile = large
        ? options.keep?.(`output-${id.replace(/[^\w-]/g, "_")}-${messages.length}.txt`, text)
        : undefined;
      const folder = createFolder(options.maxOutput);
      folder.push({ ...console, start: true, id });
      folder.push({ ...console, format: "output", content: text });
      folder.push({ ...console, format: "active_line", content: null });
      messages.push(
        folder.push({ ...console, end: true, ...end, ...(bundle && { bundle }), ...(outputFile && { outputFile }) })!,
      );
    }
    // How it ended is said by a message of the console, be it an empty one.
    else if (end) messages.push({ ...console, format: "output", id, ...end, content: "" });
    text = "";
    bundle = undefined;
  }

  let failed = false;
  for (const output of outputs) {
    if (output.output_type === "stream") text += withoutEscapes(joined(output.text));
    else if (output.output_type === "error") {
      failed = true;
      const lines = Array.isArray(output.traceback) ? output.traceback.map(joined) : [];
      const told = withoutEscapes(lines.join("\n")) || `${joined(output.ename)}: ${joined(output.evalue)}`;
      text += told.endsWith("\n") ? told : `${told}\n`;
    } else if (output.output_type === "display_data" || output.output_type === "execute_result") {
      const data = wholeBundle(output.data);
      const shown = ownMessage(data, id, options);
      if (shown) {
        print();
        messages.push(shown);
      } else {
        const plain = String(data["text/plain"] ?? "");
        if (plain !== "") text += plain.endsWith("\n") ? plain : `${plain}\n`;
        else if (Object.keys(data).length > 0) text += `[${Object.keys(data).join(", ")}]\n`;
        const rich = richForms(data, options);
        if (Object.keys(rich).some((mime) => mime !== "text/plain")) bundle = rich;
      }
    } else
      options.problems.push(
        `An output of cell ${options.index + 1} is of a kind that is not known: ${kindOf(output)}.`,
      );
  }
  print({ status: failed ? "error" : "ok" });
  return messages;
}

/** A picture, or a page that has no text: a message of its own. */
function ownMessage(data: MimeBundle, id: string, { index, problems }: CellOptions): Message | undefined {
  for (const [mime, format] of [
    ["image/png", "base64.png"],
    ["image/jpeg", "base64.jpeg"],
  ] as const) {
    const value = data[mime];
    if (typeof value !== "string") continue;
    if (value.length <= largestPicture)
      return { role: "computer", type: "image", format, id, content: value.replace(/\s/g, "") };
    problems.push(`A picture of cell ${index + 1} has ${Math.round(value.length / 1e6)} MB and was left out.`);
    delete data[mime];
  }
  const html = data["text/html"];
  const plain = String(data["text/plain"] ?? "");
  const empty = plain === "" || /^<.*object( at 0x[0-9a-f]+)?>$/.test(plain);
  if (typeof html === "string" && html.length <= largestForm && empty && !(widget in data))
    return { role: "computer", type: "code", format: "html", id, recipient: "user", content: html };
  return undefined;
}

/** A widget is nothing without what drove it; and what is too long would be read again with every message. */
function richForms({ [widget]: _, ...data }: MimeBundle, { index, problems }: CellOptions): MimeBundle {
  const forms = Object.entries(data);
  const fitting = forms.filter(([, value]) => typeof value !== "string" || value.length <= largestForm);
  for (const [mime, value] of forms)
    if (!fitting.some(([name]) => name === mime) && mime !== "text/plain")
      problems.push(
        `What cell ${index + 1} shows as ${mime} has ${Math.round(String(value).length / 1e6)} MB and was left out.`,
      );
  return Object.fromEntries(fitting);
}

const kindOf = (output: Output): string => JSON.stringify((output as { output_type?: unknown }).output_type);
