// `/export clean`: what the results of this conversation need, run again in fresh sessions beside the live ones.

import { type ExportKind, loadConversation } from "../../conversations/index.ts";
import { exportClean } from "../clean-export.ts";
import { runnable } from "../export-command.ts";
import { sanitize } from "../sanitize.ts";
import { askYesNo } from "../yes-no.ts";
import type { ChatControls } from "./command.ts";

/** `path` is the file that was named, if one was. */
export async function exportCleanFrom(chat: ChatControls, kind: ExportKind, path: string | undefined): Promise<void> {
  const { interpreter, lines, print, view, settings } = chat;
  const { messages, title, cwd, conversation } = interpreter;
  const created = conversation && loadConversation(conversation.folder)?.header.created;
  const begun = new Date(Date.now() - process.uptime() * 1000);
  const { paths, report } = await chat.stoppable((signal) =>
    exportClean({
      kind,
      messages,
      cwd,
      folder: cwd,
      since: created ? new Date(created) : begun,
      ...(title !== undefined && { title }),
      ...(path && { path }),
      options: runnable(settings),
      approve: async (question) => {
        if (interpreter.autoRun) return true;
        return askYesNo(lines, sanitize(question), { signal, more: ["run"] });
      },
      progress: (words) => print(view.style.dim(`${words} …\n`)),
      signal,
    }),
  );
  print(`${sanitize([...paths.map((each) => `Written: ${each}`), ...report].join("\n"))}\n`);
}
