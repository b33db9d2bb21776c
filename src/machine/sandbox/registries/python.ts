// Configuration of the tools that install Python packages: pip, uv, poetry, conda.

import { dirname, join } from "node:path";
import { homeIn, linesOf, type Sources, type Urls, urlsIn, variable } from "./source.ts";

export const pythonSources = (env: NodeJS.ProcessEnv, cwd: string): Sources[] => [
  pip(env),
  uv(env, cwd),
  poetry(env, cwd),
  conda(env),
];

const configFolder = (env: NodeJS.ProcessEnv): string => env.XDG_CONFIG_HOME ?? join(homeIn(env), ".config");

function pip(env: NodeJS.ProcessEnv): Sources {
  const home = homeIn(env);
  const ini = process.platform === "win32" ? "pip.ini" : "pip.conf";
  const shared = (env.XDG_CONFIG_DIRS ?? "/etc/xdg").split(":").map((folder) => join(folder, "pip", ini));
  const paths = [
    join("/etc", ini),
    ...shared,
    join(home, ".pip", ini),
    join(home, "pip", ini),
    join(configFolder(env), "pip", ini),
    join(home, "Library", "Application Support", "pip", ini),
    ...(env.APPDATA ? [join(env.APPDATA, "pip", ini)] : []),
    ...(env.ProgramData ? [join(env.ProgramData, "pip", ini)] : []),
    ...[env.VIRTUAL_ENV, env.CONDA_PREFIX].flatMap((prefix) => (prefix ? [join(prefix, ini)] : [])),
    ...(env.PIP_CONFIG_FILE ? [env.PIP_CONFIG_FILE] : []),
  ];
  return {
    tool: "pip",
    variables: [
      ...variable(env, "PIP_INDEX_URL", "instead"),
      ...variable(env, "PIP_EXTRA_INDEX_URL", "besides"),
      ...variable(env, "PIP_FIND_LINKS", "besides"),
    ],
    files: paths.map((path) => ({ path, urls: indexes })),
  };
}

/** `index-url` and what comes besides, in pip's words, which uv shares. */
function indexes(text: string): Urls {
  const lines = linesOf(text).map((line) => ({ ...line, key: line.key.replaceAll("_", "-") }));
  const of = (keys: RegExp): string[] =>
    lines.filter(({ key }) => keys.test(key)).flatMap(({ value }) => urlsIn(value));
  return { instead: of(/^index-url$/), besides: of(/^(extra-index-url|find-links)$/) };
}

function uv(env: NodeJS.ProcessEnv, cwd: string): Sources {
  const urls = (text: string, section = /^(index|tool\.uv\.index)$/): Urls => {
    const { instead, besides } = indexes(text);
    const named = linesOf(text).filter((line) => line.key === "url" && section.test(line.section));
    return { instead, besides: [...besides, ...named.flatMap(({ value }) => urlsIn(value))] };
  };
  return {
    tool: "uv",
    variables: [
      ...variable(env, "UV_DEFAULT_INDEX", "instead"),
      ...variable(env, "UV_INDEX_URL", "instead"),
      ...variable(env, "UV_INDEX", "besides"),
      ...variable(env, "UV_EXTRA_INDEX_URL", "besides"),
      ...variable(env, "UV_FIND_LINKS", "besides"),
    ],
    files: [
      ...upwards(cwd, ["uv.toml", "pyproject.toml"]).map((path) => ({ path, urls, theirs: true })),
      ...["/etc/uv/uv.toml", join(configFolder(env), "uv", "uv.toml"), env.UV_CONFIG_FILE ?? ""]
        .filter((path) => path !== "")
        .map((path) => ({ path, urls })),
    ],
  };
}

function poetry(env: NodeJS.ProcessEnv, cwd: string): Sources {
  const urls =
    (section: RegExp) =>
    (text: string): Urls => ({
      instead: [],
      besides: linesOf(text)
        .filter((line) => line.key === "url" && section.test(line.section))
        .flatMap(({ value }) => urlsIn(value)),
    });
  const folders = [
    join(configFolder(env), "pypoetry"),
    join(homeIn(env), "Library", "Application Support", "pypoetry"),
  ];
  const named = Object.keys(env).filter((name) => /^POETRY_REPOSITORIES_.+_URL$/.test(name));
  return {
    tool: "poetry",
    variables: named.flatMap((name) => variable(env, name, "besides")),
    files: [
      ...upwards(cwd, ["pyproject.toml"]).map((path) => ({ path, urls: urls(/^tool\.poetry\.source$/), theirs: true })),
      ...folders.map((folder) => ({ path: join(folder, "config.toml"), urls: urls(/^repositories\./) })),
    ],
  };
}

function conda(env: NodeJS.ProcessEnv): Sources {
  const home = homeIn(env);
  const roots = [env.CONDA_ROOT, env.CONDA_PREFIX, env.MAMBA_ROOT_PREFIX, "/etc/conda", "/var/lib/conda"];
  const folders = [...roots, join(home, ".conda"), join(configFolder(env), "conda"), home].filter(
    (place) => place !== undefined,
  );
  const paths = [
    ...folders.flatMap((folder) => [join(folder, ".condarc"), join(folder, "condarc")]),
    join(home, ".mambarc"),
  ];
  return {
    tool: "conda",
    variables: [
      ...variable(env, "CONDA_CHANNELS", "instead"),
      ...variable(env, "CONDA_DEFAULT_CHANNELS", "instead"),
      ...variable(env, "CONDA_CHANNEL_ALIAS", "besides"),
    ],
    files: [...paths, ...(env.CONDARC ? [env.CONDARC] : [])].map((path) => ({ path, urls: channels })),
  };
}

/** Addresses below the keys that name channels; others, such as those of proxies, are none of ours. */
function channels(text: string): Urls {
  const found: Record<keyof Urls, string[]> = { instead: [], besides: [] };
  let key = "";
  for (const row of text.split(/\r?\n/)) {
    key = /^(\w+)\s*:/.exec(row)?.[1] ?? key;
    if (/^\s*#/.test(row)) continue;
    if (/^(channels|default_channels)$/.test(key)) found.instead.push(...urlsIn(row));
    if (/^(channel_alias|custom_channels|custom_multichannels|mirrored_channels|migrated_custom_channels)$/.test(key))
      found.besides.push(...urlsIn(row));
  }
  return found;
}

/** These files in a folder and in those around it. */
export function upwards(cwd: string, names: readonly string[]): string[] {
  const folders = [cwd];
  while (dirname(folders.at(-1)!) !== folders.at(-1)) folders.push(dirname(folders.at(-1)!));
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}
