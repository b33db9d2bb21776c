// Where files lie that shells and programs read by themselves when they start: whoever writes one runs code as the person.

import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Below the home folder; what is named is meant with everything in it. */
const shells =
  ".bashrc .bashrc.d .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zprofile .zshenv .zlogin .zlogout .kshrc .cshrc .tcshrc .login .inputrc .config/fish .config/zsh .config/nushell .config/xonsh .config/powershell";
const desktops =
  ".config/autostart .config/systemd .config/environment.d .config/plasma-workspace .local/share/systemd .xprofile .xinitrc .xsession .xsessionrc .pam_environment Library/LaunchAgents";
const programs =
  ".gitconfig .config/git .vimrc .vim .config/nvim .emacs .emacs.d .config/emacs .tmux.conf .config/tmux .screenrc .npmrc .yarnrc .pydistutils.cfg .config/pip .cargo/config.toml .cargo/env .gdbinit .irbrc .Rprofile .Renviron .ipython/profile_default/startup .curlrc .wgetrc";
/** Where programs are looked for. */
const onPath = ".local/bin bin";

export const startFiles: readonly string[] = [shells, desktops, programs, onPath].join(" ").split(" ");

/** Under the names that they have, and where those lead. */
export function startPlaces(home: string, env: NodeJS.ProcessEnv): string[] {
  const { XDG_CONFIG_HOME: config, ZDOTDIR: zsh } = env;
  const places = [
    ...startFiles.map((name) => join(home, name)),
    ...(config ? inConfig.map((name) => join(config, name)) : []),
    ...(zsh ? startFiles.filter((name) => /^\.z/.test(name)).map((name) => join(zsh, name)) : []),
  ];
  const known = new Map<string, string>();
  return [...new Set(places.flatMap((path) => [path, leadingTo(path, known)]))];
}

const inConfig = startFiles.flatMap((name) => (name.startsWith(".config/") ? name.slice(".config/".length) : []));

/** Where a path leads, as far as it is there. */
function leadingTo(path: string, known: Map<string, string>): string {
  const found = known.get(path);
  if (found !== undefined) return found;
  const parent = dirname(path);
  let leads = parent === path ? path : join(leadingTo(parent, known), basename(path));
  try {
    if (lstatSync(leads, { throwIfNoEntry: false })?.isSymbolicLink()) leads = realpathSync(leads);
  } catch {} // It leads nowhere, or may not be looked at.
  known.set(path, leads);
  return leads;
}
