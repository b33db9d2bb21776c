// Asks the person's tools which registry they use by themselves. Only programs that code cannot have written are started, in no
// folder of a project, and each is asked once.

import { execFile } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { devNull } from "node:os";
import { delimiter, isAbsolute, join, parse } from "node:path";
import { homeIn, hostIn } from "./source.ts";

const answerWithin = 10_000;

interface Question {
  tool: string;
  /** The first of these that is there. */
  programs: readonly string[];
  args: readonly string[];
  hosts(answer: string): (string | undefined)[];
}

/** Where pip looks and where the files of packages lie, in pip's own words. */
const pipScript = "from pip._internal.models.index import PyPI; print(PyPI.url, 'https://' + PyPI.file_storage_domain)";

const words = (answer: string): (string | undefined)[] => answer.split(/[\s,|"[\]]+/).map(hostIn);

const questions: readonly Question[] = [
  { tool: "npm", programs: ["npm"], args: ["config", "get", "registry"], hosts: words },
  { tool: "pip", programs: ["python3", "python"], args: ["-I", "-c", pipScript], hosts: words },
  {
    tool: "go",
    programs: ["go"],
    args: ["env", "GOPROXY", "GOSUMDB"],
    // The database of sums is named without a scheme.
    hosts: (answer) => [
      ...words(answer),
      ...answer.split(/\s+/).flatMap((word) => (/^[\w-]+(\.[\w-]+)+$/.test(word) ? word : [])),
    ],
  },
  {
    tool: "conda",
    programs: ["conda", "mamba", "micromamba"],
    args: ["config", "--show", "default_channels", "channel_alias", "--json"],
    hosts: words,
  },
];

const asked = new Map<string, Promise<readonly string[]>>();

export async function hostsOfDefaults(
  tools: ReadonlySet<string>,
  env: NodeJS.ProcessEnv,
  isWritable: (path: string) => boolean,
): Promise<Set<string>> {
  const path = (env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder) && !isWritable(folder));
  const answers = questions
    .filter(({ tool }) => tools.has(tool))
    .map((question) => {
      const program = find(question.programs, path, isWritable);
      if (!program) return [];
      const known = asked.get(program);
      if (known) return known;
      const answer = put(question, program, cleaned(env, path, isWritable));
      asked.set(program, answer);
      return answer;
    });
  return new Set((await Promise.all(answers)).flat());
}

function put({ args, hosts }: Question, program: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const { root } = parse(process.cwd());
  return new Promise((resolve) => {
    const options = {
      cwd: root,
      env,
      timeout: answerWithin,
      killSignal: "SIGKILL",
      windowsHide: true,
      maxBuffer: 1_000_000,
    } as const;
    const child = execFile(program, [...args], options, (error, answer) =>
      resolve(error ? [] : hosts(answer).filter((host) => host !== undefined)),
    );
    child.stdin?.end();
  });
}

/** No configuration of a project or of somebody who could write one is found with this. */
function cleaned(
  env: NodeJS.ProcessEnv,
  path: readonly string[],
  isWritable: (path: string) => boolean,
): NodeJS.ProcessEnv {
  const home = homeIn(env);
  const kept = ["SystemRoot", "PYENV_ROOT", "NVM_DIR", "GOROOT", "LANG"].flatMap((name) => {
    const value = env[name];
    return value === undefined || isWritable(value) ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(delimiter),
    HOME: isWritable(home) ? devNull : home,
    GOTOOLCHAIN: "local",
    GOENV: "off",
    npm_config_update_notifier: "false",
    npm_config_logs_max: "0",
  };
}

function find(
  names: readonly string[],
  path: readonly string[],
  isWritable: (path: string) => boolean,
): string | undefined {
  for (const name of names)
    for (const folder of path) {
      const program = join(folder, name);
      try {
        accessSync(program, constants.X_OK);
        if (statSync(program).isFile() && !isWritable(program) && !isWritable(realpathSync(program))) return program;
      } catch {
        // It is not there.
      }
    }
  return undefined;
}
