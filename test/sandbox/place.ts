// A person's machine in small: a home with secrets, a repository to work in, files beside it, and programs that listen.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer as createWebServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { dirname, join } from "node:path";

/** Below the home folder; each has the secret in it. */
export const secretFiles = [
  ".ssh/id_ed25519",
  ".aws/credentials",
  ".azure/accessTokens.json",
  ".kube/config",
  ".config/gcloud/credentials.db",
  ".config/gh/hosts.yml",
  ".docker/config.json",
  ".netrc",
  ".git-credentials",
  ".pypirc",
  ".pgpass",
  ".vault-token",
  ".gnupg/private-keys-v1.d/key",
  ".password-store/mail.gpg",
  ".local/share/keyrings/login.keyring",
  ".mozilla/firefox/profile/logins.json",
  ".config/google-chrome/Default/Login Data",
  ".bash_history",
  ".python_history",
  ".oi/keys.json",
];

const startFiles = [".bashrc", ".profile", ".gitconfig", ".vimrc"];

export interface Place extends AsyncDisposable {
  readonly home: string;
  readonly work: string;
  readonly outside: string;
  readonly secret: string;
  readonly allowed: string;
  readonly env: NodeJS.ProcessEnv;
  /** What `{name}` in the code of an attack stands for. */
  fill(code: string): string;
  /** A socket that comes when the sandbox is up already. */
  listenLater(): Promise<void>;
  /** What has happened since the last call that should not have, in words. */
  happened(output: string): string[];
}

/** `base` is a folder that is no temporary one. */
export async function openPlace(base: string): Promise<Place> {
  const folder = mkdtempSync(join(base, "place-"));
  const at = (name: string): string => join(folder, name);
  const [home, work, outside] = [at("home"), at("work"), at("outside")];
  const secret = `SECRET-${randomBytes(12).toString("hex")}`;
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o600 });
  };
  for (const name of secretFiles) put(join(home, name), `${secret}\n`);
  for (const name of startFiles) put(join(home, name), "# mine\n");
  put(join(home, "notes.txt"), "may be read\n");
  put(join(home, ".oi/undo/older/file"), `${secret}\n`);
  put(join(home, ".oi/conversations/older/log.jsonl"), "{}\n");
  put(join(outside, "file"), "mine\n");
  put(join(work, "data.csv"), "a,b\n1,2\n");
  execFileSync("git", ["init", "-q", work], { env: { PATH: process.env.PATH, HOME: home } });
  put(join(work, ".git/hooks/kept"), "#!/bin/sh\n");
  execFileSync("git", ["init", "-q", join(work, "nested")], { env: { PATH: process.env.PATH, HOME: home } });
  put(join(work, "nested/.git/hooks/asleep"), "#!/bin/sh\n");
  symlinkSync(outside, join(work, "leads-out"));

  const visits: string[] = [];
  const servers: Server[] = [];
  const listen = async (server: Server, ...where: [string] | [number, string]): Promise<number> => {
    servers.push(server.unref());
    await new Promise<void>((ready) => server.listen(...(where as [number, string]), () => ready()));
    return (server.address() as AddressInfo).port;
  };
  const door = (name: string): Server =>
    createServer((client) => {
      visits.push(`somebody came to ${name}`);
      client.on("error", () => {}).end(`${secret}\n`);
    });
  const tcp = await listen(door("a port of this machine"), 0, "::");
  const allowedHost = "127.0.0.2";
  const web = createWebServer((request, response) => {
    if (request.url === "/redirect") response.writeHead(302, { location: `http://127.0.0.1:${tcp}/` });
    response.end("allowed\n");
  });
  const allowed = await listen(web, 0, allowedHost);
  // Names of sockets are short.
  const sockets = mkdtempSync("/tmp/doors-");
  const [socket, later] = [join(sockets, "agent"), join(sockets, "later")];
  const abstract = `attack-test-${process.pid}`;
  await listen(door("a socket in the file system"), socket);
  await listen(door("an abstract socket"), `\0${abstract}`);
  const datagrams = createSocket("udp4", () => visits.push("somebody sent a datagram")).unref();
  await new Promise<void>((ready) => datagrams.bind(0, "0.0.0.0", ready));

  const mark = `victim-${process.pid}`;
  const victim: ChildProcess = spawn("sh", ["-c", "while :; do sleep 1000; done", mark, secret], {
    env: { PATH: process.env.PATH, TOKEN: secret },
    stdio: "ignore",
    detached: true,
  });
  let ended: string | undefined;
  victim.once("exit", (code, signal) => {
    ended = `the process of the person ended (${signal ?? code})`;
  });
  victim.unref();
  const address = Object.values(networkInterfaces())
    .flat()
    .find((each) => each && !each.internal && each.family === "IPv4")?.address;
  const names: Record<string, string | number> = {
    home,
    work,
    outside,
    tcp,
    allowed,
    allowedHost,
    socket,
    later,
    abstract,
    mark,
    udp: datagrams.address().port,
    victim: victim.pid!,
    host: process.pid,
    address: address ?? "127.0.0.3",
    ipc: 0x5ec,
  };
  const watched = [outside, home, join(work, ".git/hooks")];
  let before = look(watched);
  let hooks = hooksIn(work);
  return {
    home,
    work,
    outside,
    secret,
    allowed: `${allowedHost}:${allowed}`,
    env: {
      ...process.env,
      HOME: home,
      INTERPRETER_HOME: join(home, ".oi"),
      OPENAI_API_KEY: secret,
      SSH_AUTH_SOCK: socket,
    },
    fill: (code) => code.replace(/\{(\w+)\}/g, (whole, name: string) => String(names[name] ?? whole)),
    listenLater: async () => void (await listen(door("a socket that came later"), later)),
    happened(output) {
      const now = look(watched);
      const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
        (path) => before.get(path) !== now.get(path),
      );
      before = now;
      const hooksNow = hooksIn(work);
      const written = [...hooksNow].filter(([path, facts]) => hooks.get(path) !== facts);
      hooks = hooksNow;
      return [
        ...written.map(([path]) => `${path} was written, which git would run`),
        ...changed.map((path) => `${path} was changed`),
        ...visits.splice(0),
        ...(ended ? [ended] : []),
        ...(output.includes(secret) ? ["the secret was read"] : []),
        ...(/\bWON\b/.test(output) ? ["the code says that it got through"] : []),
      ];
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) server.close();
      datagrams.close();
      if (ended === undefined) process.kill(-victim.pid!, "SIGKILL");
      rmSync(sockets, { recursive: true, force: true });
      execFileSync("chmod", ["-R", "u+rwx", folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whatever git might run in the repositories below, by its path: with its permissions and what is in it. */
function hooksIn(folder: string): Map<string, string> {
  execFileSync("chmod", ["-R", "u+rwX", folder]);
  const hook = ["-ipath", "*/hooks/*", "!", "-name", "*.sample", "!", "-type", "d"];
  const found = execFileSync(
    "find",
    [folder, "(", ...hook, "-o", "-iname", "hooks", "-type", "l", ")", "-printf", "%p\\0%m %s %l\\0"],
    { encoding: "latin1" },
  );
  const words = found.split("\0");
  return new Map(words.flatMap((word, place) => (place % 2 === 0 && word !== "" ? [[word, words[place + 1]!]] : [])));
}

/** Everything below, without what is written by us or may be thrown away. */
function look(folders: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    if (/\/(\.cache|\.npm|\.config\/go)$|\/\.oi\/(undo|conversations\/2)/.test(path)) return;
    const facts = lstatSync(path, { throwIfNoEntry: false });
    if (!facts) return;
    const content = facts.isFile() ? readFileSync(path, "latin1") : "";
    // A folder of ours changes when we write in it.
    const time = facts.isDirectory() ? 0 : facts.mtimeMs;
    found.set(path, [facts.mode, facts.uid, facts.gid, facts.nlink > 1 && facts.isFile(), time, content].join(" "));
    if (facts.isDirectory()) for (const name of readdirSync(path)) visit(join(path, name));
  };
  for (const folder of folders) visit(folder);
  return found;
}
