// Which registries the person's own tools are configured with: read from files and variables as the tools write them.

import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { registryHosts } from "../../src/machine/sandbox/registries.ts";

class Person implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "registries-test-"));
  readonly home = join(this.folder, "home");
  readonly work = join(this.folder, "work");

  constructor() {
    mkdirSync(this.home);
    mkdirSync(this.work);
  }

  put(path: string, text: string, mode = 0o644): string {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
    return file;
  }

  hosts(env: NodeJS.ProcessEnv = {}) {
    return registryHosts({ HOME: this.home, ...env }, this.work);
  }

  known(env: NodeJS.ProcessEnv = {}): string[] {
    return [...this.hosts(env).known].sort();
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

test("nothing is configured, nothing is known", () => {
  using person = new Person();
  expect(person.known()).toEqual([]);
});

test("npm: the person's file with scopes and variables, a file elsewhere, and the environment", () => {
  using person = new Person();
  person.put(
    "home/.npmrc",
    `; mine
registry=https://npm.example.org/mirror/
@team:registry = "https://team.example.org:8443/"
@other:registry=https://\${NAME}.example.org/
//npm.example.org/:_authToken=abc
https-proxy=http://proxy.example.org:3128
`,
  );
  expect(person.known({ NAME: "filled" })).toEqual(["filled.example.org", "npm.example.org", "team.example.org"]);
  const elsewhere = person.put("etc/npmrc", "registry=https://global.example.org/\n");
  expect(person.known({ npm_config_globalconfig: elsewhere, NAME: "x" })).toContain("global.example.org");
  expect(person.hosts({ NPM_CONFIG_REGISTRY: "https://env.example.org" }).origin("env.example.org")).toBe(
    "npm: NPM_CONFIG_REGISTRY",
  );
  expect(person.hosts().origin("team.example.org")).toBe(`npm: ${join(person.home, ".npmrc")}`);
});

test("pip: variables, its places, values over several lines, and a virtual environment", () => {
  using person = new Person();
  person.put(
    "home/.config/pip/pip.conf",
    `[global]
index-url = https://user:secret@pip.example.org/simple
# extra-index-url = https://no.example.org
trusted-host = not.example.org
[install]
extra_index_url =
    https://one.example.org/simple
    https://two.example.org/simple?x=1
find-links = https://links.example.org/all.html
proxy = http://proxy.example.org
`,
  );
  person.put("home/.pip/pip.conf", "[global]\nindex-url: ignored\n");
  person.put("venv/pip.conf", "[global]\nindex-url = https://venv.example.org/simple\n");
  const known = person.known({
    VIRTUAL_ENV: join(person.folder, "venv"),
    PIP_EXTRA_INDEX_URL: "https://a.example.org/simple https://b.example.org/simple",
  });
  expect(known).toEqual(["a", "b", "links", "one", "pip", "two", "venv"].map((name) => `${name}.example.org`));
  expect(JSON.stringify(person.hosts().origin("pip.example.org"))).not.toContain("secret");
});

test("uv, poetry, conda, cargo and go", () => {
  using person = new Person();
  person.put(
    "home/.config/uv/uv.toml",
    `index-url = "https://uv.example.org/simple"
extra-index-url = [
  "https://uv-more.example.org/simple", "https://uv-most.example.org/simple",
]
[[index]]
name = "team"
url = "https://uv-team.example.org/simple"
[pip]
extra-index-url = ["https://uv-pip.example.org/simple"]
`,
  );
  person.put(
    "home/.config/pypoetry/config.toml",
    '[repositories.team]\nurl = "https://poetry.example.org/"\n[x]\nurl = "https://no.example.org"\n',
  );
  person.put(
    "home/.condarc",
    `channels:
  - https://conda.example.org/free
  - conda-forge
channel_alias: https://alias.example.org
custom_channels:
  team: https://custom.example.org/x
proxy_servers:
  http: http://proxy.example.org:8080
`,
  );
  person.put(
    "home/.cargo/config.toml",
    `[source.mirror]
registry = "sparse+https://cargo.example.org/index/"
[registries]
team = { index = "https://inline.example.org/git/index" }
[registries.other]
index = "https://other.example.org/index"
[http]
proxy = "http://proxy.example.org"
`,
  );
  person.put("home/.config/go/env", "GOPROXY=https://go.example.org,https://go2.example.org|direct\nGOFLAGS=-x\n");
  expect(person.known({ UV_INDEX: "team=https://uv-env.example.org/simple" })).toEqual([
    "alias.example.org",
    "cargo.example.org",
    "conda.example.org",
    "custom.example.org",
    "go.example.org",
    "go2.example.org",
    "inline.example.org",
    "other.example.org",
    "poetry.example.org",
    "uv-env.example.org",
    "uv-more.example.org",
    "uv-most.example.org",
    "uv-pip.example.org",
    "uv-team.example.org",
    "uv.example.org",
  ]);
});

test("files of the project, which code can write, are told apart and make nothing known", () => {
  using person = new Person();
  person.put("work/package.json", "{}");
  person.put("work/.npmrc", "registry=https://evil.example.org/\n@team:registry=https://both.example.org/\n");
  person.put("home/.npmrc", "registry=https://both.example.org/\n");
  person.put("work/uv.toml", 'index-url = "https://uv.example.org/simple"\n');
  person.put("work/pyproject.toml", '[[tool.poetry.source]]\nname = "x"\nurl = "https://poetry.example.org/"\n');
  person.put("work/.cargo/config.toml", '[registries.x]\nindex = "https://cargo.example.org/"\n');
  person.put("work/venv/pip.conf", "[global]\nindex-url = https://venv.example.org/simple\n");
  symlinkSync(
    person.put("work/mine", "[global]\nindex-url = https://link.example.org/\n"),
    join(person.home, "pip.conf"),
  );
  const hosts = person.hosts({
    VIRTUAL_ENV: join(person.work, "venv"),
    PIP_CONFIG_FILE: join(person.home, "pip.conf"),
  });
  expect([...hosts.known]).toEqual(["both.example.org"]);
  expect([...hosts.project].sort()).toEqual(
    ["cargo", "evil", "link", "poetry", "uv", "venv"].map((name) => `${name}.example.org`),
  );
  expect(hosts.origin("evil.example.org")).toBe(`npm: ${join(person.work, ".npmrc")}`);
});

test("where the home folder is the workspace, code could have written what lies there", () => {
  using person = new Person();
  person.put("home/.npmrc", "registry=https://npm.example.org/\n");
  const hosts = registryHosts({ HOME: person.home, PIP_INDEX_URL: "https://pip.example.org/simple" }, person.home);
  expect([...hosts.known]).toEqual(["pip.example.org"]);
  expect([...hosts.project]).toEqual(["npm.example.org"]);
});

/** A program as it might be installed, which also notes that it was started, where, and with what. */
function tool(person: Person, path: string, answer: string): string {
  return person.put(
    path,
    `#!/bin/sh\necho "$0 $* in $(pwd) home=$HOME registry=$npm_config_registry path=$PATH" >> "${join(person.folder, "started")}"\necho '${answer}'\n`,
    0o755,
  );
}

async function started(person: Person): Promise<string> {
  const { readFileSync, existsSync } = await import("node:fs");
  const path = join(person.folder, "started");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

test("what a tool uses by itself is asked of it, once, outside of every project, and not where it is configured", async () => {
  using person = new Person();
  tool(person, "bin/npm", "https://default.example.org/");
  tool(person, "bin/go", "https://proxy.example.org,direct\nsum.example.org");
  const env = { PATH: `${join(person.folder, "bin")}:/usr/bin:/bin` };
  const hosts = person.hosts({ ...env, GOPROXY: "https://own.example.org" });
  expect([await hosts.ask("default.example.org"), await hosts.ask("proxy.example.org")]).toEqual([true, false]);
  expect(await hosts.ask("other.example.org")).toBe(false);
  const lines = (await started(person)).trim().split("\n");
  expect(lines).toEqual([expect.stringMatching(/bin\/npm config get registry in \/ home=.*\/home registry= path=/)]);
  const free = person.hosts(env);
  expect([await free.ask("proxy.example.org"), await free.ask("SUM.example.org")]).toEqual([true, true]);
  expect((await started(person)).match(/bin\/npm/g)).toHaveLength(1);
});

test("no program is started that code could have written, and none by a name in the working folder", async () => {
  using person = new Person();
  tool(person, "work/bin/npm", "https://evil.example.org/");
  tool(person, "work/npm", "https://evil.example.org/");
  mkdirSync(join(person.folder, "links"));
  symlinkSync(join(person.work, "bin/npm"), join(person.folder, "links/npm"));
  const PATH = [join(person.work, "bin"), ".", "", join(person.folder, "links")].join(":");
  expect(await person.hosts({ PATH }).ask("evil.example.org")).toBe(false);
  expect(await started(person)).toBe("");
});

test("a tool that fails says nothing", async () => {
  using person = new Person();
  person.put("bin/npm", "#!/bin/sh\necho https://half.example.org/\nexit 1\n", 0o755);
  expect(await person.hosts({ PATH: `${join(person.folder, "bin")}:/bin` }).ask("half.example.org")).toBe(false);
});

test("pip and npm as they are installed here name their own registries", async () => {
  using person = new Person();
  const { hostsOfDefaults } = await import("../../src/machine/sandbox/registries/ask-tools.ts");
  const env = { PATH: process.env.PATH, HOME: person.home, PYENV_ROOT: process.env.PYENV_ROOT };
  const [npm, pip] = await Promise.all(
    ["npm", "pip"].map((name) => hostsOfDefaults(new Set([name]), env, (path) => path.startsWith(person.folder))),
  );
  for (const host of [...npm!, ...pip!]) expect(host).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
  expect([npm!.size, pip!.size]).toEqual([1, 2]);
});
