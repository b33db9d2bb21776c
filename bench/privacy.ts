// What looking for secrets costs: on a long output, on what a turn sends, and for what is never to be sent.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConversationOutbox, Secrets } from "../src/privacy/index.ts";
import { HiddenValues } from "../src/privacy/never-send/hidden-values.ts";
import { least, type Row, timed } from "./measure.ts";

/** Lines as programs print them. */
function output(length: number): string {
  const lines: string[] = [];
  for (let size = 0, line = 0; size < length; line++) {
    const text = `2024-05-01T12:00:${line % 60} INFO task-runner item ${line} sha=${(line * 7919).toString(16)} /usr/lib/python3/mod_${line}.py https://example.org/a?b=${line}`;
    lines.push(text);
    size += text.length + 1;
  }
  return lines.join("\n").slice(0, length);
}

export async function measurePrivacy(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-privacy-"));
  writeFileSync(join(folder, ".env"), "DB_PASSWORD=wonder-4711\n");
  const env = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`S${index}_TOKEN`, `t${index}-${"x9Kq".repeat(6)}`]),
  );
  const secrets = new Secrets({ env: { ...env, INTERPRETER_HOME: folder }, cwd: folder });
  const long = output(5_000_000);
  const page = output(4_000);
  const values = new HiddenValues();
  for (let index = 0; index < 200_000; index++) values.add("clients.csv", "email", `person${index}@example.org`);
  const turn = output(100_000);
  const outbox = new ConversationOutbox(() => folder);
  let sent = output(500_000);
  const rows: Row[] = [
    {
      what: "secrets: masking 5 MB of output",
      value: await least(7, () => timed(() => secrets.mask(long))),
      unit: "ms",
      floor: { what: "one lower-casing of it", value: await least(7, () => timed(() => long.toLowerCase())) },
    },
    {
      what: "secrets: masking a message of 4 kB",
      value: await least(20, () => timed(() => secrets.mask(page))),
      unit: "ms",
    },
    {
      what: "never_send: 100 kB, 200 000 values",
      value: await least(7, () => timed(() => values.hide(turn))),
      unit: "ms",
    },
    {
      what: "outbox: recording a request of 500 kB",
      value: await least(7, () =>
        timed(() => {
          sent = `${sent.slice(0, -10)}one more word${sent.slice(-10)}`;
          outbox.sending({ to: "http://127.0.0.1/", model: "m", body: sent }).end();
          outbox.flush();
        }),
      ),
      unit: "ms",
    },
  ];
  rmSync(folder, { recursive: true, force: true });
  return rows;
}
