// /outbox: what was sent to the model in this conversation.

import { loadOutbox } from "../../privacy/index.ts";
import { outboxTable, requestPage, searchSent } from "../outbox-table.ts";
import { showInPager } from "../pager.ts";
import { sanitize } from "../sanitize.ts";
import type { ChatControls } from "./command.ts";

export async function showOutbox(chat: ChatControls, written: string): Promise<void> {
  const { interpreter, view, print, lines } = chat;
  const { conversation } = interpreter;
  if (!interpreter.recordSent() || !conversation)
    return print("This conversation is not kept, so what is sent is not recorded.\n");
  const outbox = (await loadOutbox()).readOutbox(conversation.folder);
  if (!outbox) return print("Nothing was sent yet.\n");
  const columns = process.stdout.columns || 80;
  const [, words] = /^search\s+(.+)$/.exec(written) ?? [];
  if (words) {
    let count = 0;
    for (const { request, line } of searchSent(outbox, words)) {
      count++;
      print(`${view.style.cyan(String(request.number))}  ${sanitize(line).replace(/\s+/g, " ")}\n`);
    }
    return count > 0 ? undefined : print(`Nothing that was sent has ${sanitize(words)} in it.\n`);
  }
  if (written === "") {
    for (const line of outboxTable(outbox.requests, columns, view.style)) print(line);
    return print(view.style.dim("/outbox N shows one of them whole.\n"));
  }
  const request = outbox.requests[Number(written) - 1];
  const body = request && outbox.body(request.number);
  if (!request || body === undefined)
    return print(`There is no request ${sanitize(written)}: there are ${outbox.requests.length}.\n`);
  if (!view.live) return print(sanitize(requestPage(request, body)));
  const resume = lines.suspend();
  const problem = await showInPager(requestPage(request, body), process.env).finally(resume);
  if (problem) print(`${problem}\n`);
}
