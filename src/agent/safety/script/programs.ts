// Programs that a script starts: what they are given is read as the shell's words.

import { type Command, programRuns } from "../shell/programs.ts";
import { outOf, type Value } from "../value.ts";
import type { Call } from "./evaluate.ts";
import { says } from "./javascript-files.ts";

/** Either a line for the shell, or a program and its arguments. */
export function started(call: Call): Value {
  const given = call.values.length > 0 ? call.values : [call.named.args ?? call.named.cmd ?? outOf()];
  const [head, ...rest] = /os\.spawn/.test(call.name) ? given.slice(1) : given;
  const list = head?.items ?? rest.find(({ items }) => items)?.items;
  const throughShell = call.values.some((value) => says(value, "shell"));
  const words = throughShell ? undefined : wordsOf(call.name, head, list, rest);
  if (words) {
    const command: Command = {
      name: words[0]?.text,
      values: words.slice(1),
      input: call.named.input ?? outOf(),
      background: false,
    };
    return programRuns(command, call.act);
  }
  if (head?.text !== undefined) call.act({ type: "block", language: "shell", code: head.text });
  else if (head) call.act({ type: "run", what: head, known: false });
  return outOf(...given);
}

/** The program and its arguments where they are given one by one; nothing for a line that a shell reads. */
function wordsOf(
  name: string,
  head: Value | undefined,
  list: readonly Value[] | undefined,
  rest: readonly Value[],
): readonly Value[] | undefined {
  if (head?.items) return head.items;
  // os.execv("/bin/rm", ["rm", "-rf", …]), spawn("rm", ["-rf", …])
  if (/os\.(exec|spawn|posix_spawn)v?/.test(name) && list) return head ? [head, ...list.slice(1)] : list;
  if (/os\.(exec|spawn)l/.test(name)) return head ? [head, ...rest.slice(1)] : rest;
  if (/(spawn|execFile|fork|create_subprocess_exec)/.test(name) && head)
    return [head, ...(list ?? rest.filter(({ text }) => text !== undefined))];
  return undefined;
}
