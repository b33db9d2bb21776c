// npm's configuration: .npmrc of the project, of the person and of the machine, and npm_config_… variables.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { homeIn, linesOf, type Sources, type Urls } from "./source.ts";

export function npmSources(env: NodeJS.ProcessEnv, cwd: string): Sources {
  const given = (name: string): string | undefined =>
    Object.entries(env).find(([key]) => key.toLowerCase() === `npm_config_${name}`)?.[1];
  const prefix = given("prefix") ?? env.PREFIX;
  const machine = [prefix, dirname(dirname(process.execPath)), "/usr", "/usr/local", "/"].filter(
    (place) => place !== undefined,
  );
  const urls = (text: string): Urls => urlsOf(text, env);
  return {
    tool: "npm",
    variables: Object.entries(env).flatMap(([name, value]) => {
      const key = /^npm_config_(.*)$/i.exec(name)?.[1]?.toLowerCase();
      if (!value || !key || !/^(registry|@[^:]+:registry)$/.test(key)) return [];
      return [
        { name, urls: key === "registry" ? { instead: [value], besides: [] } : { instead: [], besides: [value] } },
      ];
    }),
    files: [
      { path: join(packageFolder(cwd), ".npmrc"), urls, theirs: packageFolder(cwd) !== homeIn(env) },
      { path: given("userconfig") ?? join(homeIn(env), ".npmrc"), urls },
      ...[given("globalconfig") ?? "", ...machine.map((place) => join(place, "etc", "npmrc"))]
        .filter((path) => path !== "")
        .map((path) => ({ path, urls })),
    ],
  };
}

/** The folder of the package that a folder belongs to, where npm looks for the project's file. */
function packageFolder(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json")) || existsSync(join(folder, "node_modules"))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}

function urlsOf(text: string, env: NodeJS.ProcessEnv): Urls {
  const found = linesOf(text).map(({ key, value }) => ({ key, value: filled(value, env) }));
  return {
    instead: found.filter(({ key }) => key === "registry").map(({ value }) => value),
    besides: found.filter(({ key }) => /^@[^:]+:registry$/.test(key)).map(({ value }) => value),
  };
}

const filled = (value: string, env: NodeJS.ProcessEnv): string =>
  value.replace(/\$\{(\w+)\??\}/g, (_, name: string) => env[name] ?? "").replace(/^["']|["']$/g, "");
