// Makes text from a program or a model safe to print: no escape sequence of theirs reaches the terminal.

const sequences = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|[ -/]*[0-~])/g;
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

export function sanitize(text: string): string {
  return text.replace(sequences, "").replace(controls, "\ufffd").replaceAll("\r\n", "\n");
}
