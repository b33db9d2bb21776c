// Escape sequences: what a program says to a terminal and not to a reader.

const sequences = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|[ -/]*[0-~])/g;

export function withoutEscapes(text: string): string {
  return text.replace(sequences, "");
}
