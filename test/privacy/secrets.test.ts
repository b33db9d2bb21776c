// Secrets are masked wherever they stand, also in pieces; ordinary output is not touched.

import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { maskMessage, Secrets } from "../../src/privacy/index.ts";
import { shapes } from "../../src/privacy/secrets/shapes.ts";
import { examples, letter } from "./secret-examples.ts";

const nowhere = join(tmpdir(), "no-such-folder");
const secrets = (env: NodeJS.ProcessEnv = {}, cwd = nowhere): Secrets =>
  new Secrets({ env: { INTERPRETER_HOME: nowhere, ...env }, cwd });

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "secrets-test-"));
  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text);
  }
  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

test("there is an example of every shape", () => {
  const named = new Set(examples.map(([name]) => name));
  expect(shapes.filter(({ name, named: own }) => !own && !named.has(name)).map(({ name }) => name)).toEqual([]);
});

test.each(examples)("%s: %s", (name, text, secret) => {
  const { mask } = secrets();
  const at = text.indexOf(secret);
  const masked = `${text.slice(0, at)}‹secret ${name}›${text.slice(at + secret.length)}`;
  expect(mask(text)).toBe(masked);
  expect(mask(`It is\n${text} and "${text}".`)).toBe(`It is\n${masked} and "${masked}".`);
  expect(mask(masked), "a mask stays as it is").toBe(masked);
});

test("values of variables are masked by the name of the variable, longest first, and in JSON", () => {
  const { mask } = secrets({
    SHOP_TOKEN: "kN4-wonderland",
    SHOP_TOKEN_FULL: "kN4-wonderland-and-more",
    MAIL_PASSWORD: 'a"b\\c9-long',
    SIGNING_KEY: "7f3Ab9c1d2",
    HUNTER_PASSWORD: "hunter2",
  });
  expect(mask("kN4-wonderland kN4-wonderland-and-more 7f3Ab9c1d2 hunter2")).toBe(
    "‹secret SHOP_TOKEN› ‹secret SHOP_TOKEN_FULL› ‹secret SIGNING_KEY› ‹secret HUNTER_PASSWORD›",
  );
  expect(mask(JSON.stringify({ p: 'a"b\\c9-long' }))).toBe('{"p":"‹secret MAIL_PASSWORD›"}');
  expect(mask("xkN4-wonderlandx")).toBe("x‹secret SHOP_TOKEN›x");
});

test.each([
  ["PWD", "/home/anna/project9"],
  ["SSH_AUTH_SOCK", "/tmp/ssh-9xYz/agent.1"],
  ["GOOGLE_APPLICATION_CREDENTIALS", "/home/anna/key9.json"],
  ["SORT_KEY", "created_at"],
  ["PARTITION_KEY", "customer"],
  ["APP_PASSWORD", "changeme"],
  ["APP_SECRET", "true"],
  ["MAX_TOKEN", "4096"],
  ["TOKEN_LIMIT", "100000"],
  ["API_TOKEN", "your-token-here"],
  ["API_TOKEN", "${OTHER_TOKEN}"],
  ["DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/1000/bus"],
  ["AUTH_URL", "https://login.example.org/v2/9"],
  ["HOME", "anna-4711-abcDEF"],
])("%s=%s is no secret", (name, value) => {
  expect(secrets({ [name]: value }).mask(`it is ${value} here`)).toBe(`it is ${value} here`);
});

test(".env files of the folder count, and are read again when they change", () => {
  using folder = new Folder();
  const { mask } = secrets({}, folder.path);
  expect(mask("wonder-4711 wonder-0815")).toBe("wonder-4711 wonder-0815");
  folder.write(".env", "export DB_PASSWORD='wonder-4711'\nMODE=wonder-0815\n");
  expect(mask("wonder-4711 wonder-0815")).toBe("‹secret DB_PASSWORD› wonder-0815");
  folder.write(".env", "DB_PASSWORD=wonder-0815\n");
  expect(mask("wonder-4711 wonder-0815")).toBe("wonder-4711 ‹secret DB_PASSWORD›");
  folder.write(".env.local", "API_TOKEN=wonder-4711\n");
  folder.write(".env.example", "OTHER_TOKEN=wonder-1234\n");
  expect(mask("wonder-4711 wonder-0815 wonder-1234")).toBe("‹secret API_TOKEN› ‹secret DB_PASSWORD› wonder-1234");
  rmSync(join(folder.path, ".env"));
  expect(mask("wonder-0815")).toBe("wonder-0815");
});

test("keys of the file of keys, and those that were found elsewhere, are masked", () => {
  using folder = new Folder();
  const home = join(folder.path, "home");
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, "keys.json"), JSON.stringify({ acme: { key: "acme-4711-x" }, other: { keyring: true } }), {
    mode: 0o600,
  });
  const all = secrets({ INTERPRETER_HOME: home });
  expect(all.mask("acme-4711-x ring-0815-y")).toBe("‹secret acme key› ring-0815-y");
  all.know("other key", "ring-0815-y");
  expect(all.mask("acme-4711-x ring-0815-y")).toBe("‹secret acme key› ‹secret other key›");
});

test("nothing is masked when the person does not want it", () => {
  const off = new Secrets({ env: { SHOP_TOKEN: "kN4-wonderland" }, cwd: nowhere, active: () => false });
  expect(off.mask("kN4-wonderland")).toBe("kN4-wonderland");
  expect(off.stream().push("kN4-won")).toBe("kN4-won");
});

const hash = (name: string): string => createHash(name).update("x").digest("hex");

test.each([
  ["hashes", `${hash("md5")}  a.iso\n${hash("sha1")}\n${hash("sha256")}  b.iso\n${hash("sha512")}`],
  ["a hash in base64", `"integrity": "sha512-${createHash("sha512").update("x").digest("base64")}"`],
  ["UUIDs", Array.from({ length: 20 }, () => randomUUID()).join("\n")],
  ["a picture", readFileSync(join(import.meta.dirname, "../../docs/images", "chat.svg")).toString("base64")],
  [
    "git",
    `commit ${hash("sha1")}\nAuthor: Anna <anna@example.org>\n\n    Fix sk-learn style task-runner-for-the-whole-2024-thing`,
  ],
  ["a listing", "-rw-r--r-- 1 anna anna 1234567890 May  1 12:00 report_2024-05-01T12-00-00Z_final-version.csv"],
  [
    "packages",
    "scikit-learn==1.5.0\nnumpy @ https://files.example.org/packages/ab/cd/numpy-2.1.0-cp312-manylinux_2_17_x86_64.whl",
  ],
  [
    "addresses",
    "Local: http://localhost:5173/ and http://[::1]:8080/a@b, mailto:anna@example.org, ssh://git@host:22/x",
  ],
  [
    "code",
    'password = getpass.getpass("Password: ")\nif line.startswith("-----BEGIN PRIVATE KEY-----"):\n    token = read(path)',
  ],
  ["words", "Basic understanding of authorization: bearer bonds and token ring; the password=yes answer"],
  [
    "settings",
    "MAX_TOKENS=4096 TOKEN_LIMIT=100000 export API_KEY=$OTHER_KEY DB_PASSWORD=${DB_PASSWORD} PASSWORD=<yours>",
  ],
  ["a table", "   id  name        amount\n0   1  Anna    12345.6789\n1   2  Bert  98765432.10"],
  ["a traceback", 'File "/usr/lib/python3.12/site-packages/pandas/io/parsers/readers.py", line 1026, in read_csv'],
  ["a certificate", `-----BEGIN CERTIFICATE-----\n${letter(64)}\n-----END CERTIFICATE-----`],
  ["a public key", `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${letter(43)} anna@host`],
  ["a template", "postgres://anna:${PASSWORD}@db/shop postgres://user:password@localhost/db"],
])("ordinary output is not touched: %s", (_, text) => {
  expect(secrets().mask(text)).toBe(text);
});

test("the sources of this project are not touched", () => {
  const { mask } = secrets();
  for (const name of ["src/cli.ts", "src/start.ts", "docs/settings.md", "docs/models.md", "package-lock.json"]) {
    const text = readFileSync(join(import.meta.dirname, "../..", name), "utf8");
    expect(mask(text) === text, name).toBe(true);
  }
});

test("however a text is cut into pieces, no secret is let through", () => {
  const value = "kN4-wonderland-and-more";
  const texts = [...examples.map(([, text]) => text), value, `${value}${value}`, value.slice(0, 12)];
  const env = { SHOP_TOKEN: value };
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...texts), fc.string(), fc.constantFrom(" ", "\n", "kN4-", "-----", "sk-")), {
        minLength: 1,
        maxLength: 8,
      }),
      fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
      (parts, sizes) => {
        const text = parts.join(" ");
        const all = secrets(env);
        const stream = all.stream();
        let made = "";
        for (let at = 0; at < text.length; ) {
          const { value: size } = sizes.next();
          made += stream.push(text.slice(at, at + size));
          at += size;
        }
        made += stream.end();
        // A few characters of its beginning may be let through before it is seen what they are.
        for (const secret of [value, ...examples.map(([, , each]) => each)])
          expect(made).not.toContain(secret.slice(4));
        if (all.mask(text) === text) expect(made).toBe(text);
      },
    ),
    { numRuns: 400 },
  );
});

test("what cannot be the beginning of a secret is let through at once", () => {
  const stream = secrets({ SHOP_TOKEN: "kN4-wonderland" }).stream();
  expect(stream.push("All is well k")).toBe("All is well k");
  expect(stream.push("N4-won")).toBe("");
  expect(stream.push("der is all")).toBe("N4-wonder is all");
  expect(stream.push(" kN4-wonderl")).toBe(" ");
  expect(stream.push("and.")).toBe("‹secret SHOP_TOKEN›.");
  expect(stream.end()).toBe("");
});

test("a message keeps its picture and loses the secrets of its richer forms", () => {
  const all = secrets({ SHOP_TOKEN: "kN4-wonderland" });
  const picture = { role: "computer", type: "image", format: "base64.png", content: "kN4-wonderland" } as const;
  expect(maskMessage(picture, all)).toBe(picture);
  const bundle = { "text/html": "<b>kN4-wonderland</b>", "image/png": "kN4-wonderland", a: [{ b: "kN4-wonderland" }] };
  expect(maskMessage({ role: "computer", type: "console", content: "x", bundle }, all).bundle).toEqual({
    "text/html": "<b>‹secret SHOP_TOKEN›</b>",
    "image/png": "kN4-wonderland",
    a: [{ b: "‹secret SHOP_TOKEN›" }],
  });
});
