// Which hosts a block has reached is said at its end: by code that knows their names, and by looking at connections from outside.

import { join } from "node:path";
import { expect, test } from "vitest";
import { Hosts } from "../../src/languages/hosts.ts";
import { startInNamespace, whyNoNamespace } from "../support/namespace.ts";

const names = `
hosts=$(mktemp)
printf '127.0.0.1 localhost\\n203.0.113.7 files.example.test\\n203.0.113.8 more.example.test\\n' > "$hosts"
mount --bind "$hosts" /etc/hosts
rm "$hosts"
exec "$@"
`;

const why = whyNoNamespace();

test.skipIf(why)(
  `names where they are known, addresses where not, and never this machine (${why || "in a network of its own"})`,
  async () => {
    const script = join(import.meta.dirname, "../support/hosts-scenario.ts");
    const child = startInNamespace("sh", ["-c", names, "sh", process.execPath, script], process.env);
    let [out, problems] = ["", ""];
    child.stdout!.on("data", (text: Buffer) => {
      out += text;
    });
    child.stderr!.on("data", (text: Buffer) => {
      problems += text;
    });
    await new Promise((done) => child.once("close", done));
    expect(problems).toBe("");
    expect(JSON.parse(out)).toEqual({
      "python: nothing": null,
      "python: a name": ["files.example.test"],
      "python: an address": ["203.0.113.9"],
      "python: this machine": null,
      "python: asyncio and urllib": ["files.example.test", "more.example.test"],
      "python: datagrams": ["203.0.113.5"],
      "python: a name that is not found": null,
      "python: a child": ["203.0.113.21"],
      "python: and leaves": ["files.example.test"],
      "javascript: nothing": null,
      "javascript: fetch": ["files.example.test"],
      "javascript: an address": ["203.0.113.9"],
      "javascript: this machine": null,
      "javascript: datagrams": ["203.0.113.5"],
      "bash: nothing": null,
      "bash: itself": ["203.0.113.30"],
      "bash: children": ["203.0.113.31", "203.0.113.32"],
    });
  },
);

test("what comes from inside is checked, and is bounded", () => {
  const hosts = new Hosts(process.pid);
  const told = {
    "a.example": ["10.0.0.1"],
    "10.0.0.2": [],
    "with space": [],
    ["x".repeat(300)]: [],
    "b.example": "no",
  };
  expect(hosts.end(told)).toEqual(["a.example", "10.0.0.2", "b.example"]);
  for (const nonsense of ["nonsense", undefined, null, 5]) expect(hosts.end(nonsense)).toEqual([]);
  expect(hosts.end(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`h${at}`, []])))).toHaveLength(100);
});
