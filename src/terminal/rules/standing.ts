// What holds for code here and now: the level of the sandbox, its walls, the rules, and the registries of the person's tools.

import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { loadRegistries, loadWalls, type Registries, type Walls } from "../../machine/index.ts";
import { type Judgement, openRules, places, type Rules, type Settings, type Subject } from "../../settings/index.ts";

export interface Standing {
  level: "workspace" | "strict" | "off";
  rules: Rules;
  registries: Registries;
  /** Undefined where there are none. */
  walls: Walls | undefined;
  decide(subject: Subject): Promise<Judgement>;
}

export interface StandingRequest {
  settings: Pick<Settings, "sandbox" | "workspace">;
  rules: Rules;
  cwd: string;
  env: NodeJS.ProcessEnv;
}

const startFiles = "what is written there would run as you: hooks and start files stay as they are";
const hooks = /\/\.git(\/modules\/.+)?\/hooks(\/|$)/i;
const little = "strict shows no more than code needs";
const secrecy = "keys, passwords or the like are kept there";

export async function standingOf({ settings, rules, cwd, env }: StandingRequest): Promise<Standing> {
  const level = settings.sandbox ?? "workspace";
  const [{ registryHosts }, { secrets, startPlaces, systemSecrets, wallsFor }, inside] = await Promise.all([
    loadRegistries(),
    loadWalls(),
    openRules(),
  ]);
  const home = env.HOME ?? homedir();
  const roots = [cwd, ...(settings.workspace ?? [])].map(inside.realPath);
  const { config, data } = places(env);
  const walls =
    level === "off"
      ? undefined
      : wallsFor({
          level,
          roots,
          home,
          env,
          config,
          data,
          ours: [],
          allowWrite: rules.paths("write", "allow"),
          allowRead: rules.paths("read", "allow"),
          denyRead: rules.paths("read", "deny"),
        });
  // Walls stand only around what is there; what is not there yet is no less secret.
  const secret = [...secrets.map((name) => join(home, name)), ...systemSecrets].map(inside.realPath);
  const temporary = ["/tmp", "/var/tmp", tmpdir()].map(inside.realPath);
  const registries = registryHosts(env, cwd, { workspace: [...roots, ...temporary, ...(walls?.writable ?? [])] });
  const among = (path: string, folders: readonly string[]): boolean =>
    folders.some((folder) => inside.isBelow(path, folder));

  /** The innermost of some folders that a path is in, by its length. */
  const depth = (path: string, folders: readonly string[]): number =>
    Math.max(-1, ...folders.filter((folder) => inside.isBelow(path, folder)).map((folder) => folder.length));

  /** What is not there yet is not kept, unless a rule names it. */
  const starts = startPlaces(home, env).filter((place) => !roots.some((root) => inside.isBelow(root, place)));
  const runsLater = (path: string): boolean => among(path, starts) || hooks.test(path);
  const isNamed = (path: string): boolean =>
    rules.paths("write", "allow").some((each) => runsLater(each) && inside.isBelow(path, each));

  /** Walls are opened only around what is there. */
  const notYet = (path: string): string => {
    const missing = rules.paths("write", "allow").find((each) => inside.isBelow(path, each)) ?? path;
    return `; but there is no ${inside.shortened(missing, home)} yet, and code cannot make it: make it first, or allow the folder around it`;
  };

  function ofPath(subject: Extract<Subject, { path: string }>, judged: Judgement, walls: Walls): Judgement {
    const path = inside.realPath(subject.path);
    const { fixed, hidden, shown, writable } = walls;
    const ours = among(path, [config, data].map(inside.realPath));
    const isLater = among(path, starts) || (among(path, roots) && runsLater(path));
    const isHeld = among(path, fixed) || (isLater && !isNamed(path));
    if (subject.kind === "write" && !ours && isHeld) return { verdict: "deny", because: startFiles };
    if (judged.rule !== undefined) {
      const isOpen = subject.kind === "read" || ours || among(path, [...roots, ...temporary, ...writable]);
      return judged.verdict !== "allow" || isOpen ? judged : { ...judged, because: `${judged.because}${notYet(path)}` };
    }
    if (depth(path, [...hidden, ...secret]) > depth(path, [...shown, ...roots, ...temporary]))
      return { verdict: "deny", because: level === "strict" ? little : secrecy };
    if (subject.kind === "read" || ours) return judged;
    if (among(path, roots)) return { verdict: "allow", because: "it is in the workspace" };
    if (among(path, temporary)) return { verdict: "allow", because: "it is among temporary files" };
    if (among(path, writable)) return { verdict: "allow", because: "programs keep there what they can make again" };
    return { verdict: "deny", because: "it is outside of the workspace, and no rule allows it" };
  }

  async function ofHost({ host, port }: Extract<Subject, { kind: "host" }>, judged: Judgement): Promise<Judgement> {
    if (level === "strict") return { verdict: "deny", because: "with --sandbox strict there is no network" };
    if (judged.rule !== undefined || judged.verdict === "deny") return judged;
    const origin = registries.origin(host, port);
    if (registries.names(host, port))
      return { verdict: "allow", because: `it is a registry of your own tools (${origin})` };
    if (await registries.ask(host, port))
      return { verdict: "allow", because: "it is where one of your own tools gets its packages" };
    return origin === undefined
      ? judged
      : { verdict: "ask", because: `only a file of this project names it (${origin})` };
  }

  async function decide(subject: Subject): Promise<Judgement> {
    const judged = rules.judge(subject);
    if (subject.kind === "command" || subject.kind === "language") return judged;
    if (!walls) {
      const said = judged.rule === undefined ? "" : `; ${judged.rule} says ${judged.verdict}, and nobody sees to it`;
      return { verdict: "allow", because: `the sandbox is off${said}` };
    }
    return subject.kind === "host" ? ofHost(subject, judged) : ofPath(subject, judged, walls);
  }

  return { level, rules, registries, walls, decide };
}
