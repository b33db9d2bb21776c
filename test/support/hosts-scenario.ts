// Runs blocks that reach out, where nothing answers, and prints what is said about the hosts. Run by hosts.test.ts in a network of its own.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { javascript } from "../../src/languages/javascript/index.ts";
import { python } from "../../src/languages/python/index.ts";
import { bash } from "../../src/languages/shell/index.ts";
import { localMachine } from "../../src/machine/index.ts";
import { testPython } from "./session.ts";

const languages = { python, javascript, bash };
const folder = mkdtempSync(join(tmpdir(), "hosts-test-"));

const blocks: [name: string, language: keyof typeof languages, code: string][] = [
  ["python: nothing", "python", "x = 1"],
  [
    "python: a name",
    "python",
    "import socket\ntry: socket.create_connection(('files.example.test', 443), timeout=0.3)\nexcept OSError as e: print(e)",
  ],
  [
    "python: an address",
    "python",
    "s = socket.socket(); s.settimeout(0.1)\ntry: s.connect(('203.0.113.9', 80))\nexcept OSError: pass",
  ],
  [
    "python: this machine",
    "python",
    "import os\nserver = socket.create_server(('127.0.0.1', 0)); socket.create_connection(server.getsockname())\na, b = socket.socketpair(); a.send(b'x')\nsocket.create_connection(('localhost', server.getsockname()[1]))\nu = socket.socket(socket.AF_UNIX); u.bind('u'); u.listen(); socket.socket(socket.AF_UNIX).connect('u')\nsocket.gethostbyname('localhost');",
  ],
  [
    "python: asyncio and urllib",
    "python",
    "import asyncio, urllib.request\ntry: await asyncio.wait_for(asyncio.open_connection('more.example.test', 80), 0.2)\nexcept asyncio.TimeoutError: pass\ntry: urllib.request.urlopen('http://files.example.test/', timeout=0.2)\nexcept OSError: pass",
  ],
  ["python: datagrams", "python", "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('203.0.113.5', 9));"],
  [
    "python: a name that is not found",
    "python",
    "try: socket.getaddrinfo('no.example.test', 80)\nexcept OSError: print('not found')",
  ],
  [
    "python: a child",
    "python",
    "import subprocess\nsubprocess.run(['timeout', '0.4', 'bash', '-c', 'exec 3<>/dev/tcp/203.0.113.21/80'], stderr=-3);",
  ],
  [
    "python: and leaves",
    "python",
    "import sys\ntry: socket.create_connection(('files.example.test', 80), timeout=0.1)\nexcept OSError: sys.exit(1)",
  ],
  ["javascript: nothing", "javascript", "1 + 1"],
  [
    "javascript: fetch",
    "javascript",
    "try { await fetch('https://files.example.test/', { signal: AbortSignal.timeout(300) }) } catch {}",
  ],
  [
    "javascript: an address",
    "javascript",
    "import net from 'node:net'; await new Promise((done) => { const s = net.connect(80, '203.0.113.9'); s.on('error', done); setTimeout(() => { s.destroy(); done() }, 100) })",
  ],
  [
    "javascript: this machine",
    "javascript",
    "import http from 'node:http'; const server = http.createServer((_, answer) => answer.end('ok')).listen(0); await new Promise((done) => server.once('listening', done)); await (await fetch(`http://localhost:${server.address().port}/`)).text(); await (await fetch(`http://127.0.0.1:${server.address().port}/`)).text(); server.close()",
  ],
  [
    "javascript: datagrams",
    "javascript",
    "import dgram from 'node:dgram'; const d = dgram.createSocket('udp4'); await new Promise((done) => d.send('x', 9, '203.0.113.5', done)); d.close()",
  ],
  ["bash: nothing", "bash", "echo hi"],
  ["bash: itself", "bash", "{ (sleep 0.3; kill $$) & exec 3<>/dev/tcp/203.0.113.30/80; } 2>/dev/null"],
  [
    "bash: children",
    "bash",
    "timeout 0.3 bash -c 'exec 3<>/dev/tcp/203.0.113.31/80' & timeout 0.3 bash -c 'exec 3<>/dev/tcp/203.0.113.32/80'; wait",
  ],
];

const sessions = new Map<string, Awaited<ReturnType<typeof python.start>>>();
const said: Record<string, string[] | null> = {};
for (const [name, language, code] of blocks) {
  let session = sessions.get(language);
  if (!session?.alive)
    session = await languages[language].start({
      machine: localMachine,
      cwd: folder,
      env: process.env,
      python: testPython,
    });
  sessions.set(language, session);
  for await (const event of session.run(code, `<${name}>`)) {
    if (event.type === "error") throw new Error(`${name}: ${event.traceback}`);
    if (event.type === "end") said[name] = event.hosts?.toSorted() ?? null;
  }
}
console.log(JSON.stringify(said));
for (const session of sessions.values()) await session.close();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
