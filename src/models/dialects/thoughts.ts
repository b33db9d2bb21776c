// Thinking that a provider sends apart from the text: each piece whole and in its place, with what goes back with it.

import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import { type Author, keepThinking } from "../thinking.ts";
import type { Lane, Lanes } from "./lanes.ts";

type ThoughtPart = Extract<
  LanguageModelV4StreamPart,
  { type: "reasoning-start" | "reasoning-delta" | "reasoning-end" }
>;

export interface ThoughtReader {
  read(part: ThoughtPart): void;
  end(): void;
}

export function createThoughtReader(author: Author, lanes: Lanes): ThoughtReader {
  const open = new Map<string, { lane: Lane; facts: SharedV4ProviderMetadata }>();

  const show = (lane: Lane, text: string): void => {
    if (text !== "") lane.emit({ type: "reasoning-delta", text });
  };

  return {
    read(part) {
      const thought = open.get(part.id);
      if (!thought) {
        const lane = lanes.open();
        if (part.type === "reasoning-start") open.set(part.id, { lane, facts: { ...part.providerMetadata } });
        else {
          // A piece without a beginning has no end either.
          if (part.type === "reasoning-delta") show(lane, part.delta);
          lane.close();
        }
        return;
      }
      const { lane, facts } = thought;
      for (const [name, more] of Object.entries(part.providerMetadata ?? {})) facts[name] = { ...facts[name], ...more };
      if (part.type === "reasoning-delta") show(lane, part.delta);
      if (part.type !== "reasoning-end") return;
      const provider = keepThinking(author, facts);
      lane.emit({ type: "reasoning-end", ...(provider ? { provider } : {}) });
      lane.close();
      open.delete(part.id);
    },
    /** What has no end by now is cut off: it is shown, and nothing of it goes back. */
    end() {
      for (const { lane } of open.values()) lane.close();
      open.clear();
    },
  };
}
