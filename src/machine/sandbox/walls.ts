// What a sandbox lets code do, as plain data: where it may write, what it cannot see, and whether there is a way out.

import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isWithin } from "../layer/mounts.ts";
import { startPlaces } from "./start-files.ts";

export { startPlaces };

export type Level = "workspace" | "strict";

export interface Walls {
  level: Level;
  /** Folders and files that may be written, besides the workspace and temporary files. */
  writable: readonly string[];
  /** Folders and files that cannot be looked at. */
  hidden: readonly string[];
  /** What is seen of a hidden folder all the same. */
  shown: readonly string[];
  /** Files and folders in the workspace that stay as they are. */
  fixed: readonly string[];
  /** Folders in the workspace that keep their names, because of what is fixed in them. */
  pinned: readonly string[];
  /** Whether other machines can be asked for. */
  network: boolean;
}

export interface WallsRequest {
  level: Level;
  roots: readonly string[];
  home: string;
  env: NodeJS.ProcessEnv;
  /** Our own: settings and keys, and what is kept of conversations. */
  config: string;
  data: string;
  /** Where our own programs lie. */
  ours: readonly string[];
  /** More that the person allows to be written or read. */
  allowWrite?: readonly string[];
  allowRead?: readonly string[];
  denyRead?: readonly string[];
  /** In a write layer, no folder that was there before can be given another name; and none can be held in its place. */
  layered?: boolean;
  /** Walls that go by names stand also before what is not there yet. */
  missing?: boolean;
}

/** Below the home folder: keys, tokens, passwords, and what browsers know of their person. */
export const secrets = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".oci",
  ".config/gcloud",
  ".config/gh",
  ".config/glab-cli",
  ".config/hub",
  ".config/doctl",
  ".config/op",
  ".config/rclone",
  ".config/sops",
  ".docker/config.json",
  ".netrc",
  ".git-credentials",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".s3cfg",
  ".boto",
  ".terraform.d/credentials.tfrc.json",
  ".vault-token",
  ".password-store",
  ".local/share/keyrings",
  ".local/share/kwalletd",
  ".config/google-chrome",
  ".config/chromium",
  ".config/BraveSoftware",
  ".config/microsoft-edge",
  ".config/vivaldi",
  ".mozilla",
  ".thunderbird",
  ".bash_history",
  ".zsh_history",
  ".python_history",
  ".node_repl_history",
  ".claude",
  ".codex",
  ".zsh_sessions",
  "Library/Accounts",
  "Library/Containers/com.apple.Safari",
  "Library/Cookies",
  "Library/HTTPStorages",
  "Library/Keychains",
  "Library/Mail",
  "Library/Messages",
  "Library/Safari",
  "Library/Thunderbird",
  "Library/Application Support/1Password",
  "Library/Application Support/AddressBook",
  "Library/Application Support/Arc",
  "Library/Application Support/BraveSoftware",
  "Library/Application Support/Chromium",
  "Library/Application Support/Firefox",
  "Library/Application Support/Google/Chrome",
  "Library/Application Support/Microsoft Edge",
  "Library/Application Support/Vivaldi",
  "Library/Application Support/com.apple.TCC",
] as const;

export const systemSecrets = [
  "/etc/shadow",
  "/etc/gshadow",
  "/etc/sudoers",
  "/etc/ssl/private",
  "/etc/ssh",
  "/etc/master.passwd",
  "/Library/Keychains",
  "/var/db/dslocal",
] as const;

/** Where other people's files are, and what programs keep of everybody; with the home folder, not seen where little is. */
const others = "/home /root /mnt /media /srv /var/lib /var/log /var/mail /Users /Volumes /var/root".split(" ");

/** Below the home folder: what programs may throw away again. */
const caches = [".cache", ".npm", ".conda/pkgs", ".cargo/registry", "go/pkg", ".matplotlib", "Library/Caches"] as const;

export function wallsFor(request: WallsRequest): Walls {
  const {
    level,
    roots,
    home,
    env,
    config,
    data,
    ours,
    allowWrite = [],
    allowRead = [],
    denyRead = [],
    layered,
    missing,
  } = request;
  const walled = missing ? named : there;
  const inHome = (names: readonly string[]): string[] => names.map((name) => join(home, name));
  const agent = env.SSH_AUTH_SOCK ? [env.SSH_AUTH_SOCK] : [];
  const own = [join(config, "keys.json"), join(config, ".env"), join(data, "state.key"), join(data, "undo")];
  const hidden = [
    ...inHome(secrets),
    ...systemSecrets,
    ...agent,
    ...own,
    ...denyRead,
    ...(level === "strict" ? [home, ...others] : []),
  ];
  // Whatever lies where code may write: our own, and what runs as the person without being asked for.
  const later = walled([...startPlaces(home, env), ...roots.map((root) => join(root, ".git", "hooks"))]);
  // Where something of it is allowed by name, what code makes of the rest is not kept.
  const byName = allowWrite.map(real);
  const fixed = [...there([config, data]), ...later.filter((path) => !byName.some((each) => isWithin(each, path)))];
  const allowed = new Set(allowRead.map(real));
  const places = programPlaces(env, home);
  return {
    level,
    writable: there([...(level === "strict" ? [] : inHome(caches)), ...allowWrite]),
    hidden: walled(hidden).filter((path) => !allowed.has(path) && !roots.includes(path)),
    shown: there(level === "strict" ? [...ours, ...places, ...allowRead, ...allowWrite] : allowRead),
    fixed: [...new Set(fixed)].filter((path) => !roots.includes(path)),
    pinned: layered ? [] : there(roots.map((root) => join(root, ".git"))).filter(isFolder),
    network: level !== "strict",
  };
}

/**
 * What we run ourselves, and go on loading and starting while code runs: ourselves, with the packages beside us where we are not in the
 * workspace (npx installs into a cache), and Node.
 */
export function ownPrograms(ours: readonly string[], roots: readonly string[]): string[] {
  const isInWorkspace = (path: string): boolean => roots.some((root) => isWithin(path, root));
  const places = there(ours).map((path) => {
    const installed = path.split("/node_modules/")[0]!;
    return installed === path || isInWorkspace(installed) ? path : installed;
  });
  return [...places, ...there([process.execPath])].filter((path) => !roots.includes(path));
}

/** Folders that programs are found in, with what they bring along beside them. */
function programPlaces(env: NodeJS.ProcessEnv, home: string): string[] {
  const named = [env.VIRTUAL_ENV, env.CONDA_PREFIX, env.PYENV_ROOT, env.NVM_DIR, env.CARGO_HOME, env.RUSTUP_HOME];
  // Beside `~/bin` is all that the person has.
  const isApart = (folder: string): boolean => /\/s?bin\/?$/.test(folder) && !isWithin(home, dirname(folder));
  const onPath = (env.PATH ?? "").split(":").map((folder) => (isApart(folder) ? dirname(folder) : folder));
  return [...named.filter((place) => place !== undefined), ...onPath].filter((place) => place.length > 1);
}

/** Real paths of those that exist, each once. */
const there = (paths: readonly string[]): string[] => [...new Set(paths.filter((path) => existsSync(path)).map(real))];

const named = (paths: readonly string[]): string[] => [...new Set(paths.map(real))];

/** As far as it is there. */
const real = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(real(parent), basename(path));
  }
};

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
