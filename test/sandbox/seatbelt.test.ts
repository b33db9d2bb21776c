// Attacks on the walls of macOS, tried for real; and what people ask for every day. They run on a Mac only.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Interpreter } from "../../src/interpreter/index.ts";
import { testPython } from "../support/session.ts";

const secret = "SECRET-of-the-test";
let place: string;
let interpreter: Interpreter;
let visits = 0;
const web = createServer((_, response) => {
  visits++;
  response.end("reached");
});

const run = async (language: string, code: string): Promise<string> =>
  (await interpreter.computer.run(language, code)).map(({ content }) => String(content)).join("\n");
const at = (...names: string[]): string => join(place, ...names);
const port = (): number => (web.address() as AddressInfo).port;

describe.skipIf(process.platform !== "darwin")("on a Mac", () => {
  beforeAll(async () => {
    // No temporary folder: those may be written.
    place = realpathSync(mkdtempSync(join(homedir(), ".seatbelt-test-")));
    for (const name of ["home/.ssh", "home/Library/Keychains", "home/Library/LaunchAgents", "work", "outside"])
      mkdirSync(at(name), { recursive: true });
    for (const name of [".ssh/id_ed25519", ".netrc", "Library/Keychains/login.keychain-db"])
      writeFileSync(at("home", name), secret);
    writeFileSync(at("home/notes.txt"), "may be read");
    writeFileSync(at("work/data.csv"), "a,b\n1,2\n");
    await new Promise<void>((ready) => web.listen(0, "127.0.0.1", ready));
    interpreter = new Interpreter({
      cwd: at("work"),
      sandbox: "workspace",
      conversation: true,
      autoRun: true,
      python: testPython,
      env: { ...process.env, HOME: at("home"), INTERPRETER_HOME: at("home/.oi"), OPENAI_API_KEY: secret },
    });
  });
  afterAll(async () => {
    await interpreter?.close();
    web.close();
    rmSync(place, { recursive: true, force: true });
  });

  test.each([
    ["computes in Python", "python", "print(6 * 7)", "42"],
    ["computes in JavaScript", "javascript", "console.log(6 * 7)", "42"],
    ["reads and writes here", "shell", "cat data.csv > copy.csv && cat copy.csv", "1,2"],
    ["reads elsewhere", "shell", "cat ~/notes.txt", "may be read"],
    [
      "has temporary files",
      "python",
      "import tempfile\nf = tempfile.NamedTemporaryFile(); print(f.write(b'1234'))",
      "4",
    ],
    [
      "has many processes",
      "python",
      "import subprocess, sys\nprint(subprocess.run([sys.executable, '-c', 'import multiprocessing as m; print(m.Lock() is not None)'], capture_output=True, text=True))",
      "True",
    ],
    [
      "draws, where Matplotlib is there",
      "python",
      "try:\n    import matplotlib; matplotlib.use('Agg'); import matplotlib.pyplot as p; p.plot([1, 2]); p.savefig('f.png')\nexcept ImportError: pass\nprint('drawn')",
      "drawn",
    ],
    ["knows who it is", "shell", "id -un && hostname && date", process.env.USER ?? ""],
  ])("code %s", async (_name, language, code, says) => {
    expect(await run(language, code)).toContain(says);
  });

  test("it writes nowhere else: not by links, not by names in other letters", async () => {
    const said = await run(
      "shell",
      `for f in '${at("outside/x")}' ~/.zshrc ~/.ZSHENV ~/Library/LaunchAgents/x.plist ~/.oi/rules.yaml /etc/x; do echo WON > "$f"; done; ln -s '${at("outside")}' out; echo WON > out/y; mv '${at("outside")}' moved; cp data.csv '${at("outside/z")}'`,
    );
    for (const name of ["outside/x", "outside/y", "outside/z", "home/.zshrc", "home/.ZSHENV", "home/.oi/rules.yaml"])
      expect(existsSync(at(name)), said).toBe(false);
    expect(existsSync(at("home/Library/LaunchAgents/x.plist"))).toBe(false);
  });

  test.each([
    ["by its name", "cat ~/.ssh/id_ed25519 ~/.netrc ~/Library/Keychains/login.keychain-db"],
    ["in other letters", "cat ~/.SSH/ID_ED25519 ~/.NETRC"],
    ["by another way", `cat /System/Volumes/Data'${"{home}"}'/.ssh/id_ed25519`],
    ["by a hard link", "ln ~/.netrc here; cat here"],
    ["by a copy of the file system", "cp -c ~/.netrc cloned; cat cloned"],
    ["by a link", "ln -s ~/.ssh s; cat s/id_ed25519"],
    ["in the variables", "env; ps eww -ax"],
    ["by an archive", "tar cf - ~/.ssh | cat"],
  ])("a secret is not read: %s", async (_name, code) => {
    expect(await run("shell", code.replace("{home}", at("home")))).not.toContain(secret);
  });

  test("nobody is reached but through the proxy, and that asks", async () => {
    visits = 0;
    const direct = `import socket\ntry: socket.create_connection(('127.0.0.1', ${port()}), 3); print('WON')\nexcept OSError as e: print(e)`;
    expect(await run("python", direct)).not.toContain("WON");
    const said = await run("shell", `curl -sS http://127.0.0.1:${port()}/`);
    expect(said).toContain("does not let code reach 127.0.0.1");
    expect(
      await run("shell", "dscacheutil -q host -a name example.org; nc -u -w1 127.0.0.1 9 </dev/null; echo over"),
    ).toContain("over");
    expect(visits).toBe(0);
  });

  test("programs of the person are neither started nor ended nor looked into", async () => {
    const victim = spawn("sleep", ["60"]);
    const said = await run(
      "shell",
      `kill -9 ${victim.pid}; open -a Calculator; osascript -e 'tell application "Finder" to activate'; launchctl submit -l test.seatbelt -- /usr/bin/touch '${at("outside/launched")}'; echo 'touch ${at("outside/later")}' | at now; crontab -l; sleep 2; echo over`,
    );
    expect(said).toContain("over");
    expect(victim.exitCode ?? victim.signalCode).toBeNull();
    victim.kill();
    expect(existsSync(at("outside/launched")) || existsSync(at("outside/later"))).toBe(false);
  });

  test("what is refused is told", async () => {
    let told = "";
    for await (const chunk of interpreter.computer.run("shell", `echo x > '${at("outside/x")}'`, { stream: true }))
      told += JSON.stringify(chunk);
    expect(told).toContain("does not let code write");
    expect(readFileSync(at("work/data.csv"), "utf8")).toBe("a,b\n1,2\n");
  });
});
