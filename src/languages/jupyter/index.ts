// Jupyter's kernels: those installed here, and those of a server. What talks to them is loaded when first used.

import type { Language } from "../language.ts";

export { findKernelLanguage } from "./kernel-language.ts";

/** The languages of a Jupyter server at `https://host/…?token=…`. Rejects with a plain-words error that has a `hint`. */
export async function jupyterServerLanguages(address: string): Promise<Language[]> {
  const { serverLanguages } = await import("./server-languages.ts");
  return serverLanguages(address);
}
