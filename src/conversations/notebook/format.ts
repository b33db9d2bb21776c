// A Jupyter notebook as far as we write and read it, and what we note in its cells so that a conversation can come back exactly.

import type { Message, MimeBundle } from "../../messages/index.ts";

/** Text as notebooks keep it: whole, or in lines with their ends. */
export type Text = string | string[];

export type Output =
  | { output_type: "stream"; name: string; text: Text }
  | { output_type: "display_data"; data: MimeBundle; metadata: object }
  | { output_type: "execute_result"; data: MimeBundle; metadata: object; execution_count: number | null }
  | { output_type: "error"; ename: string; evalue: string; traceback: string[] };

export interface Cell {
  cell_type: string;
  id?: string;
  metadata: Record<string, unknown>;
  source: Text;
  outputs?: Output[];
  execution_count?: number | null;
  attachments?: Record<string, MimeBundle>;
}

export interface Notebook {
  cells: Cell[];
  metadata: Record<string, unknown>;
  nbformat: number;
  nbformat_minor: number;
}

/** The name of what we note, in the metadata of the notebook and of its cells. */
export const ours = "interpreter";

export type Facts = Omit<Message, "content" | "bundle" | "provider">;

/** How a piece of a message's content became an output, and so how it is put together again. */
export type Piece =
  /** The text of a stream. */
  | "text"
  /** The lines of a traceback. */
  | "error"
  /** A displayed value: its plain text is part of the content, the rest is the bundle. */
  | "shown"
  /** A bundle whose plain text is not to be found in the content. */
  | "beside"
  /** A picture or a page: the one value of the output is the content. */
  | "value";

export interface ResultFacts {
  message: Facts;
  pieces: Piece[];
  /** What of the bundle a notebook cannot hold. */
  rest?: MimeBundle;
}

/** What we note in a cell. */
export interface CellFacts {
  /** What a person wrote or was shown, without what the cell itself holds. */
  message?: Facts;
  /** The message, where the cell does not hold it in a way that can be read back. */
  whole?: Omit<Message, "provider">;
  results?: ResultFacts[];
  /** How many lines at the beginning of the source are ours: the magic that runs the block. */
  added?: number;
  /** The heading that an export begins with: not part of the conversation. */
  heading?: true;
  /** Tells whether somebody has changed the cell since. */
  seal: string;
}

export function factsOf({ content: _c, bundle: _b, provider: _p, ...facts }: Message): Facts {
  return facts;
}

export const joined = (text: unknown): string => (Array.isArray(text) ? text.join("") : String(text ?? ""));

/** As notebooks keep text: lines with their ends. */
export const inLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

const isJson = (mime: string): boolean => mime === "application/json" || mime.endsWith("+json");

/** The values of a bundle in one piece each. */
export function wholeBundle(data: unknown): MimeBundle {
  if (typeof data !== "object" || data === null) return {};
  return Object.fromEntries(
    Object.entries(data).map(([mime, value]) => [mime, Array.isArray(value) && !isJson(mime) ? joined(value) : value]),
  );
}

/** Whether a notebook can hold a value under this type. */
export const fitsNotebook = (mime: string, value: unknown): boolean => isJson(mime) || typeof value === "string";

/** The same for a cell however a program has written it, and another as soon as its text or an output is another. */
export async function sealOf({ cell_type, source, outputs = [], attachments = {} }: Cell): Promise<string> {
  const { createHash } = await import("node:crypto");
  const plain = outputs.map((output) => {
    if (output.output_type === "stream") return ["stream", output.name, joined(output.text)];
    if (output.output_type === "error") return ["error", output.ename, output.evalue, output.traceback];
    return ["data", wholeBundle(output.data)];
  });
  const pictures = Object.entries(attachments).map(([name, bundle]) => [name, wholeBundle(bundle)]);
  const text = JSON.stringify([cell_type, joined(source), plain, pictures], sortedKeys);
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
