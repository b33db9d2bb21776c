// Configuration of cargo and of go.

import { join } from "node:path";
import { upwards } from "./python.ts";
import { homeIn, linesOf, type Sources, type Urls, urlsIn, variable } from "./source.ts";

export const buildSources = (env: NodeJS.ProcessEnv, cwd: string): Sources[] => [cargo(env, cwd), go(env)];

function cargo(env: NodeJS.ProcessEnv, cwd: string): Sources {
  const own = env.CARGO_HOME ?? join(homeIn(env), ".cargo");
  const theirs = upwards(cwd, [join(".cargo", "config.toml"), join(".cargo", "config")]).filter(
    (path) => !path.startsWith(own),
  );
  const named = Object.keys(env).filter((name) => /^CARGO_(REGISTRIES_.+_INDEX|SOURCE_.+_REGISTRY)$/.test(name));
  return {
    tool: "cargo",
    variables: named.flatMap((name) => variable(env, name, "besides")),
    files: [
      ...theirs.map((path) => ({ path, urls: sources, theirs: true })),
      ...["config.toml", "config"].map((name) => ({ path: join(own, name), urls: sources })),
    ],
  };
}

const sources = (text: string): Urls => ({
  instead: [],
  besides: linesOf(text)
    .filter(({ section }) => /^(source|registries|registry)\b/.test(section))
    .filter(({ key, value }) => /^(registry|index)$/.test(key) || /^\{.*\b(registry|index)\s*=/.test(value))
    .flatMap(({ value }) => urlsIn(value)),
});

function go(env: NodeJS.ProcessEnv): Sources {
  const folders = [
    env.XDG_CONFIG_HOME ?? join(homeIn(env), ".config"),
    join(homeIn(env), "Library", "Application Support"),
  ];
  const paths = env.GOENV ? [env.GOENV] : folders.map((folder) => join(folder, "go", "env"));
  const urls = (text: string): Urls => ({
    instead: linesOf(text)
      .filter(({ key }) => key === "GOPROXY")
      .flatMap(({ value }) => value.split(/[,|]/)),
    besides: [],
  });
  return { tool: "go", variables: variable(env, "GOPROXY", "instead"), files: paths.map((path) => ({ path, urls })) };
}
