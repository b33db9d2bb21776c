// What happens where namespaces are refused, told as JSON. Run by sandbox-landlock.test.ts, in a process that can make none.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Interpreter } from "../../src/interpreter/index.ts";
import { protect } from "../../src/machine/effects/protect.ts";
import type { SandboxRequest } from "../../src/machine/index.ts";

export interface Told {
  kind: string;
  news: readonly string[];
  openBecause?: string | undefined;
  homeNews: readonly string[];
  refused: string;
  allowed: string;
  afterwards: string;
  orphans: string;
  sockets: string;
  forkserver: string;
}

const [, , base = "", python = "", only = ""] = process.argv;
const place = mkdtempSync(join(base, "scenario-"));
const [home, work, outside] = ["home", "work", "outside"].map((name) => join(place, name)) as [string, string, string];
for (const folder of [home, work, outside, join(home, ".ssh"), join(home, "docs")]) mkdirSync(folder);
writeFileSync(join(outside, "file"), "");
const env = { ...process.env, HOME: home, INTERPRETER_HOME: join(home, ".oi") };

async function opened(folder: string) {
  const data = join(home, ".oi");
  const allowed = { ours: [], allowWrite: [], allowRead: [], denyRead: [] };
  const sandbox: SandboxRequest = {
    level: "workspace",
    env,
    home,
    config: data,
    data,
    ...allowed,
    judge: () => "deny",
  };
  const asked = { folders: [folder], data, wanted: "auto", plan: false, limit: 1e9, asks: false, sandbox } as const;
  const { protection, news, openBecause } = await protect(asked);
  await protection.close();
  return { kind: protection.kind, news, openBecause };
}

async function scenes(): Promise<Told> {
  const found = await opened(work);
  const told: Partial<Told> = { ...found };
  if (only !== "news") {
    told.homeNews = (await opened(home)).news;
    const options = { cwd: work, sandbox: "workspace", conversation: true, autoRun: true, python, env } as const;
    const interpreter = new Interpreter(options);
    const tell = async (language: string, code: string): Promise<string> =>
      (await interpreter.computer.run(language, code)).map(({ content }) => String(content)).join("\n");
    const write = `open(${JSON.stringify(join(outside, "file"))}, 'w').write('x'); print('written')`;
    told.refused = await tell("python", write);
    told.allowed = await interpreter.rule({ verdict: "allow", kind: "write", pattern: outside }, "conversation");
    // A session of another language is started only now.
    told.afterwards = await tell("shell", `echo x > ${join(outside, "file")} && echo written`);
    told.orphans = await tell("python", bomb);
    told.sockets = await tell("python", sockets);
    told.forkserver = await tell("shell", `cat > pool.py <<'END'\n${pool}\nEND\n${python} pool.py`);
    await interpreter.close();
  }
  return told as Told;
}

/** Each of them has left its group and its parent. */
const bomb = `
import os, time
for n in range(1_400):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: time.sleep(60)
        os._exit(0)
    os.waitpid(-1, 0)
time.sleep(60)`;

const sockets = `
import os, socket
for name in ('own.sock', '\\0own-${process.pid}'):
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(name); server.listen(); client.connect(name); client.send(b'hello')
        print(server.accept()[0].recv(9).decode())
with socket.socket() as server:
    server.bind(('127.0.0.1', 0)); server.listen()
    with socket.create_connection(server.getsockname()) as client:
        client.send(b'hello'); print(server.accept()[0].recv(9).decode())
`;

const pool = `
import multiprocessing
if __name__ == '__main__':
    with multiprocessing.get_context('forkserver').Pool(2) as pool: print(pool.map(abs, [-1, -2]))
`;

try {
  console.log(JSON.stringify(await scenes()));
} finally {
  rmSync(place, { recursive: true, force: true });
}
process.exit();
