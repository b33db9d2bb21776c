// What Node's library does with files, paths and connections.

import type { Deed } from "../act.ts";
import { gap, outOf, textValue, type Value } from "../value.ts";
import type { Call } from "./evaluate.ts";
import { all, copying, doing, inFile, killing, type Meaning, sentAlong } from "./meaning.ts";
import { answerOf, request } from "./network.ts";
import { listed, pathOf } from "./texts.ts";

/** Whether an object of options says so. */
export const says = (value: Value | undefined, field: string): boolean => value?.fields?.get(field)?.name === "true";

const writing = (append: boolean): Meaning =>
  doing(({ values: [path] }) => (path ? [{ type: "write", path, append }] : []));

export function reached(call: Call, address: Value | undefined): Value {
  const options = call.values.find(({ fields }) => fields);
  const target = address?.text === undefined ? addressIn(options) : address;
  const unchecked = options?.fields?.get("rejectUnauthorized")?.name === "false";
  for (const deed of request(target, { sends: call.values, unchecked })) call.act(deed);
  return answerOf(target, "answer");
}

/** `{ hostname: "…" }`, `{ url: "…" }` */
function addressIn(options: Value | undefined): Value | undefined {
  const url = options?.fields?.get("url");
  const host = options?.fields?.get("hostname") ?? options?.fields?.get("host");
  return url ?? (host && { ...host, text: `https://${host.text ?? gap}` });
}

/** A socket whose words go into a program is a program in somebody else's hands. */
export function overNetwork({ receiver, values: [to] }: Call): Deed[] {
  const network = receiver.from.find((source) => source.type === "network");
  return network && /child_process|stdin/.test(to?.name ?? "") ? [{ type: "remote-shell", host: network.host }] : [];
}

export const javascriptFiles: readonly [string, Meaning][] = [
  ...all("fs.rm fs.rmdir fs.unlink fs.remove fs.emptyDir rimraf rimraf.rimraf del Deno.remove", (call) => {
    const recursive = says(call.values[1], "recursive") || /rimraf|fs\.remove$|emptyDir/.test(call.name);
    for (const path of call.values[0]?.items ?? call.values.slice(0, 1)) call.act({ type: "delete", path, recursive });
    return undefined;
  }),
  ...all(
    "fs.writeFile fs.createWriteStream fs.truncate fs.outputFile Bun.write Deno.writeTextFile Deno.writeFile",
    writing(false),
  ),
  ["fs.appendFile", writing(true)],
  ...all(
    "fs.readFile fs.createReadStream fs.readJson Bun.file Deno.readTextFile Deno.readFile",
    ({ values: [path], act }) => {
      if (path) act({ type: "read", path });
      return inFile(path, "content");
    },
  ),
  ...all("fs.copyFile fs.cp fs.symlink fs.link fs.copy", copying(true)),
  ...all("fs.rename fs.move", copying(false)),
  [
    "fs.chmod",
    doing(({ values: [path, mode] }) => {
      const bits = mode?.text ?? mode?.number?.toString(8);
      return path && bits !== undefined ? [{ type: "mode", path, mode: bits }] : [];
    }),
  ],
  ...all("fs.readdir fs.glob glob glob.glob glob.sync fast-glob", ({ values: [path] }) => {
    const found = listed(path);
    return { items: [found], from: found.from };
  }),
  ...all("path.join path.resolve", ({ values }) => pathOf(values)),
  ["os.homedir", () => textValue("~")],
  ["process.cwd", () => textValue(".")],
  ["process.chdir", doing(({ values: [path] }) => [{ type: "folder", path: path?.text }])],
  ["process.kill", doing(({ values: [who] }) => (who?.name === "process.pid" ? [] : killing(who)))],
  ...all(
    "console.log console.info console.error console.warn console.debug console.dir console.table process.stdout.write process.stderr.write",
    doing(({ values }) => [{ type: "show", what: outOf(...values) }]),
  ),
  ...all("net.connect net.createConnection tls.connect net.Socket().connect", (call) => {
    const [first, second] = call.values;
    const host = first?.fields?.get("host") ?? (first?.text === undefined ? second : first);
    const address = host && { ...host, text: `tcp://${host.text ?? gap}` };
    for (const deed of request(address)) call.act(deed);
    return answerOf(address, "answer");
  }),
  ...all("answer.end answer.write answer.send", doing(sentAlong)),
  ...all("WebSocket ws ws.WebSocket EventSource", (call) => reached(call, call.values[0])),
  ["XMLHttpRequest().open", (call) => reached(call, call.values[1])],
];
