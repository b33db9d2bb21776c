// Resuming a long conversation, and appending to one.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConversationLog, loadConversation } from "../src/conversations/index.ts";
import { least, type Row, timed } from "./measure.ts";

export async function measureConversations(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-conversation-"));
  const log = new ConversationLog(folder, { conversation: "bench", version: 1, created: "", cwd: "/" });
  const append = await timed(() => {
    for (let turn = 0; turn < 1000; turn++) {
      log.append({ role: "user", type: "message", content: `question ${turn} ${"words ".repeat(20)}` });
      log.append({
        role: "assistant",
        type: "code",
        format: "python",
        content: "print(1)\n".repeat(20),
        id: String(turn),
      });
      log.append({
        role: "computer",
        type: "console",
        format: "output",
        content: "output\n".repeat(50),
        id: String(turn),
      });
      log.append({ role: "assistant", type: "message", content: "answer ".repeat(60) });
    }
  });
  log.close();
  const load = await least(5, () => timed(() => loadConversation(folder)));
  rmSync(folder, { recursive: true });
  return [
    { what: "load a conversation of 1 000 turns", value: load, unit: "ms", budget: { value: 150 } },
    { what: "append one message", value: append / 4000, unit: "ms" },
  ];
}
