// Weights worth having for this work, from small to large. What each file must be is asked of the server that has it.

export interface Weights {
  /** What stands behind `embedded/`. */
  name: string;
  /** What it is good for, in a few words. */
  about: string;
  /** Its repository on Hugging Face, and the file in it. */
  repository: string;
  file: string;
  /** Roughly, for choosing; the server says it exactly. */
  bytes: number;
}

export const recommended: readonly Weights[] = [
  {
    name: "qwen2.5-coder-0.5b",
    about: "tiny; to try things out",
    repository: "Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
    file: "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    bytes: 0.49e9,
  },
  {
    name: "qwen2.5-coder-1.5b",
    about: "small and quick; short scripts",
    repository: "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
    file: "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    bytes: 1.12e9,
  },
  {
    name: "qwen3-4b",
    about: "good at following instructions",
    repository: "unsloth/Qwen3-4B-Instruct-2507-GGUF",
    file: "Qwen3-4B-Instruct-2507-Q4_K_M.gguf",
    bytes: 2.5e9,
  },
  {
    name: "qwen2.5-coder-7b",
    about: "better code, slower",
    repository: "Qwen/Qwen2.5-Coder-7B-Instruct-GGUF",
    file: "qwen2.5-coder-7b-instruct-q4_k_m.gguf",
    bytes: 4.68e9,
  },
  {
    name: "qwen3-8b",
    about: "thinks before it answers",
    repository: "Qwen/Qwen3-8B-GGUF",
    file: "Qwen3-8B-Q4_K_M.gguf",
    bytes: 5.03e9,
  },
];

/** What runs well here: the weights and room to work beside them. */
export const fitsMemory = (bytes: number, memory: number): boolean => bytes * 1.2 + 1e9 < memory;
