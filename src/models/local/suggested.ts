// Models of Ollama's library worth having for this work, from small to large.

export interface SuggestedModel {
  name: string;
  /** What is fetched, roughly. */
  bytes: number;
  about: string;
}

export const suggestedModels: readonly SuggestedModel[] = [
  { name: "qwen2.5-coder:1.5b", bytes: 0.99e9, about: "small and quick; short scripts" },
  { name: "qwen3.5:4b", bytes: 3.4e9, about: "good for its size" },
  { name: "qwen2.5-coder:7b", bytes: 4.7e9, about: "code, without thinking first" },
  { name: "qwen3.5:9b", bytes: 6.6e9, about: "a good all-rounder" },
  { name: "gpt-oss:20b", bytes: 14e9, about: "strong at running code step by step" },
  { name: "qwen3-coder:30b", bytes: 19e9, about: "the best at code here" },
];
