import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseDotEnv, readDotEnv } from "../../src/settings/keys/dot-env.ts";
import { findKey, forgetKey, keepKey, keptKeys, readKey } from "../../src/settings/keys/index.ts";

const owner = { name: "anthropic", label: "Anthropic", variables: ["ANTHROPIC_API_KEY"] };
const other = { name: "groq", label: "Groq", variables: ["GROQ_API_KEY"] };

/** A home of its own, and an empty working folder. */
class Home implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "keys-test-"));
  readonly config = join(this.folder, "config");
  readonly file = join(this.config, "keys.json");
  readonly env: NodeJS.ProcessEnv = { PATH: process.env.PATH, INTERPRETER_HOME: this.config };

  find = (whose = owner) => findKey(whose, this.folder, this.env);

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

describe("a .env file", () => {
  test("is read as people write it", () => {
    const text = [
      "\uFEFFFIRST=one",
      "# COMMENT=no",
      "export SECOND = two  # a remark",
      "SINGLE='with # and $HOME'   # a remark",
      'DOUBLE="quoted \\" and \\\\"',
      "HASH=a#b",
      "EMPTY=",
      "SPACES=   padded   ",
      "TWICE=old",
      "TWICE=new",
      "not a line",
      "1BAD=x",
      "LAST='open",
    ].join("\r\n");
    expect(Object.fromEntries(parseDotEnv(text))).toEqual({
      FIRST: "one",
      SECOND: "two",
      SINGLE: "with # and $HOME",
      DOUBLE: 'quoted " and \\',
      HASH: "a#b",
      EMPTY: "",
      SPACES: "padded",
      TWICE: "new",
      LAST: "'open",
    });
  });

  test("gives only the variables that are asked for", () => {
    using home = new Home();
    writeFileSync(join(home.folder, ".env"), "ANTHROPIC_API_KEY=k\nANTHROPIC_BASE_URL=http://bad.example\nPATH=/bad\n");
    expect(readDotEnv(home.folder, owner.variables)).toEqual({ ANTHROPIC_API_KEY: "k" });
  });

  test.skipIf(process.platform === "win32")("that is a pipe, a folder or missing counts as none", () => {
    using home = new Home();
    expect(readDotEnv(home.folder, owner.variables)).toEqual({});
    execFileSync("mkfifo", [join(home.folder, ".env")]);
    expect(readDotEnv(home.folder, owner.variables)).toEqual({});
    rmSync(join(home.folder, ".env"));
    mkdirSync(join(home.folder, ".env"));
    expect(readDotEnv(home.folder, owner.variables)).toEqual({});
  });
});

describe("the file of keys", () => {
  test("keeps a key until it is forgotten", async () => {
    using home = new Home();
    expect(await home.find()).toBeUndefined();
    await keepKey(owner, "one", "file", home.env);
    await keepKey(other, "two", "file", home.env);
    expect(await home.find()).toEqual({ key: "one", place: "file" });
    expect(keptKeys(home.env)).toEqual({ anthropic: "file", groq: "file" });
    expect(await forgetKey(owner, home.env)).toBe("file");
    expect(await home.find()).toBeUndefined();
    expect(await home.find(other)).toEqual({ key: "two", place: "file" });
    expect(await forgetKey(other, home.env)).toBe("file");
    expect(readdirSync(home.config)).toEqual([]);
    expect(await forgetKey(other, home.env)).toBeUndefined();
  });

  test("comes after .env", async () => {
    using home = new Home();
    await keepKey(owner, "kept", "file", home.env);
    writeFileSync(join(home.folder, ".env"), "ANTHROPIC_API_KEY='here'\n");
    expect(await home.find()).toEqual({ key: "here", place: ".env" });
  });

  test.skipIf(process.platform === "win32")("is its owner's alone, and so is its folder", async () => {
    using home = new Home();
    mkdirSync(home.config, { mode: 0o755 });
    await keepKey(owner, "one", "file", home.env);
    expect((statSync(home.file).mode & 0o777).toString(8)).toBe("600");
    expect((statSync(home.config).mode & 0o777).toString(8)).toBe("700");
    expect(readdirSync(home.config)).toEqual(["keys.json"]);
  });

  test.skipIf(process.platform === "win32")(
    "is not used when others can read it, and says how to close it",
    async () => {
      using home = new Home();
      await keepKey(owner, "hidden-key", "file", home.env);
      for (const mode of [0o644, 0o640, 0o604, 0o620]) {
        chmodSync(home.file, mode);
        const error = await home.find().catch((problem) => problem);
        expect(error.message).toBe(`${home.file} is open to other users, so the keys in it are not used.`);
        expect(error.hint).toContain(`chmod 600 ${home.file}`);
        expect(() => keptKeys(home.env)).toThrow("open to other users");
        await expect(keepKey(other, "x", "file", home.env)).rejects.toThrow("open to other users");
      }
      chmodSync(home.file, 0o600);
      expect(await home.find()).toEqual({ key: "hidden-key", place: "file" });
      chmodSync(home.config, 0o770);
      await expect(home.find()).rejects.toThrow(`Other users can change what is in ${home.config}`);
    },
  );

  test.skipIf(process.getuid?.() !== 0)("is not used when it belongs to another user", async () => {
    using home = new Home();
    await keepKey(owner, "one", "file", home.env);
    chownSync(home.file, 12345, 12345);
    await expect(home.find()).rejects.toThrow(`${home.file} belongs to another user`);
  });

  test("that is broken is told without a word of what is in it", async () => {
    using home = new Home();
    await keepKey(owner, "one", "file", home.env);
    for (const text of ['{"anthropic": "secret-key"}', "secret-key", '{"anthropic": {"key": "secret-key"']) {
      writeFileSync(home.file, text);
      const error = await home.find().catch((problem) => problem);
      expect(error.message).toContain("is not a file of keys");
      expect(`${error.message} ${error.hint} ${error.stack}`).not.toContain("secret-key");
    }
  });
});

test("what was pasted is cleaned, and what cannot be a key is none", () => {
  expect(readKey("  sk-ant-1_2.3+/=\r\n")).toBe("sk-ant-1_2.3+/=");
  expect(readKey('"sk-1"')).toBe("sk-1");
  for (const text of ["", "  ", "two words", "line\nbreak", "ключ", "a\u0000b"]) expect(readKey(text)).toBeUndefined();
});

describe("the system keyring", () => {
  test("that is not there is told in plain words", async () => {
    using home = new Home();
    const error = await keepKey(owner, "one", "keyring", { ...home.env, PATH: "/nowhere" }).catch((problem) => problem);
    expect(error.message).toBe("The system keyring cannot be used for the key of Anthropic: this session has none.");
    expect(error.hint).toContain("interpreter keys set anthropic file");
    expect(existsSync(home.file)).toBe(false);
  });

  const why = missing();
  test.skipIf(why)(
    `keeps a key, and nothing of it is in a file or a command line${why ? ` (skipped: ${why})` : ""}`,
    () => {
      using home = new Home();
      const script = join(import.meta.dirname, "../support/keyring-session.ts");
      const stdout = inKeyringSession(home, `exec "$0" --disable-warning=ExperimentalWarning ${script}`);
      expect(JSON.parse(stdout.trim().split("\n").at(-1)!)).toEqual({
        before: null,
        kept: { anthropic: "keyring" },
        file: '{"anthropic":{"keyring":true}}',
        found: { key: "sk-planted-4711 with $quotes'\"", place: "keyring" },
        moved: { key: "in-file", place: "file" },
        afterMove: null,
        forgotten: "keyring",
        afterwards: null,
        seen: [],
        watched: true,
      });
    },
  );

  test.skipIf(why)(
    `that is locked, with nobody there to unlock it, is told in plain words${why ? ` (skipped: ${why})` : ""}`,
    () => {
      using home = new Home();
      const program = join(import.meta.dirname, "../support/keyring-locked.ts");
      const stdout = inKeyringSession(home, `exec "$0" --disable-warning=ExperimentalWarning ${program}`, false);
      expect(stdout).toMatch(/^The system keyring cannot be used for the key of Anthropic: secret-tool: ./);
      expect(existsSync(home.file)).toBe(false);
    },
  );
});

/** What the test of the real keyring needs and this machine does not have. */
function missing(): string {
  if (process.platform !== "linux") return "it is tried with the Secret Service of Linux";
  const needed = ["secret-tool", "gnome-keyring-daemon", "dbus-run-session"];
  return needed
    .filter((program) => spawnSync("which", [program]).status !== 0)
    .map((program) => `${program} is not installed`)
    .join(", ");
}

/** Runs a shell command in a D-Bus session of its own with a keyring of its own; "$0" is Node. */
function inKeyringSession(home: Home, command: string, unlock = true): string {
  const run = join(home.folder, "run");
  mkdirSync(run, { mode: 0o700 });
  const open = unlock ? "printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; " : "";
  const { stdout } = spawnSync("dbus-run-session", ["--", "sh", "-c", `${open}${command}`, process.execPath], {
    env: { ...home.env, HOME: home.folder, XDG_RUNTIME_DIR: run, XDG_DATA_HOME: join(home.folder, "data") },
    cwd: home.folder,
    encoding: "utf8",
    timeout: 50_000,
  });
  return stdout;
}
