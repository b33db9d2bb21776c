// Thinking in chat completions, which every server has under a name of its own.

import type { LanguageModelV4CallOptions, SharedV4ProviderMetadata } from "@ai-sdk/provider";

/** How hard to think, in the words of the server. */
export function effortFields(
  provider: string | undefined,
  effort: LanguageModelV4CallOptions["reasoning"],
): Record<string, unknown> {
  if (effort === undefined || effort === "provider-default") return {};
  const on = effort !== "none";
  if (provider === "zai" || provider === "deepseek" || provider === "moonshot")
    return { thinking: { type: on ? "enabled" : "disabled" } };
  if (provider === "alibaba") return { enable_thinking: on };
  return { reasoning_effort: effort };
}

/** The fields in which servers send what was thought. It goes back in the field it came in. */
const fields = ["reasoning_content", "reasoning"] as const;

export interface ThoughtDelta {
  reasoning_content?: unknown;
  reasoning?: unknown;
  reasoning_details?: unknown;
}

type Detail = Record<string, unknown>;

/** Gathers what goes back with the thinking of a reply. */
export class Thoughts {
  #field: string | undefined;
  readonly #details: Detail[] = [];

  /** The words of this delta. */
  read(delta: ThoughtDelta): string {
    if (Array.isArray(delta.reasoning_details)) for (const detail of delta.reasoning_details) this.#add(detail);
    const field = fields.find((name) => typeof delta[name] === "string" && delta[name] !== "");
    if (!field) return "";
    this.#field ??= field;
    return delta[field] as string;
  }

  get metadata(): SharedV4ProviderMetadata | undefined {
    if (this.#details.length > 0) return { chat: { reasoning_details: this.#details as never } };
    return this.#field ? { chat: { field: this.#field } } : undefined;
  }

  /** Details come in pieces too: those of one place are one, their text put together and a signature taken over. */
  #add(detail: unknown): void {
    if (typeof detail !== "object" || detail === null) return;
    const last = this.#details.at(-1);
    const piece = detail as Detail;
    if (!last || last.type !== piece.type || last.index !== piece.index) {
      this.#details.push({ ...piece });
      return;
    }
    for (const [key, value] of Object.entries(piece)) {
      const joined = ["text", "summary", "data"].includes(key) && typeof last[key] === "string";
      if (joined) last[key] = `${last[key]}${value ?? ""}`;
      else if (value !== null && value !== undefined) last[key] = value;
    }
  }
}

/** What an assistant's message carries of the thinking before it. */
export function thoughtFields(
  parts: readonly { type: string; text?: string; providerOptions?: SharedV4ProviderMetadata | undefined }[],
): Record<string, unknown> {
  const found = parts.filter(({ type }) => type === "reasoning");
  const details = found.flatMap(({ providerOptions }) => {
    const given = providerOptions?.chat?.reasoning_details;
    return Array.isArray(given) ? given : [];
  });
  if (details.length > 0) return { reasoning_details: details };
  const field = found.find(({ providerOptions }) => providerOptions?.chat?.field)?.providerOptions?.chat?.field;
  return typeof field === "string" ? { [field]: found.map(({ text = "" }) => text).join("") } : {};
}
