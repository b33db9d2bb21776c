// Saving a shell and bringing it back: its folder, variables, functions and aliases, as a script that a new shell reads.

import { type Restored, type Room, type SavedName, type SavedState, StateError } from "../state.ts";
import type { ShellName } from "./find-shell.ts";
import { quote, splitAssignments, unquote } from "./shell-words.ts";

const mark = "# oi ";

/** In another process where something must be taken out first. */
const asks: Record<ShellName, string> = {
  bash: `builtin declare -p; echo '${mark}functions'; (builtin unset -f $(builtin compgen -A function _oi_) read; builtin declare -f); echo '${mark}aliases'; builtin alias -p`,
  zsh: `() { emulate -L zsh; setopt extendedglob; builtin typeset -p \${(k)parameters[(R)^*(special|local)*]} \${(Mk)parameters:#(PATH|CDPATH|FPATH|MANPATH|HOME|LANG|LC_*|TERM)}; }; echo '${mark}functions'; (unfunction -m '_oi_*' read TRAPINT; functions); echo '${mark}aliases'; alias -L`,
  sh: `command set; echo '${mark}functions'; echo '${mark}aliases'; alias`,
};
const around = `echo '${mark}exported'; export -p; echo '${mark}folder'; pwd; umask`;

/** A command that writes all of it. */
export const dumping = (shell: ShellName): string => `${asks[shell]}; ${around}`;

/** Variables that belong to the process, or that the shell keeps by itself. */
const itsOwn =
  /^(_|_oi_\w*|_OI_\w*|PWD|OLDPWD|SHLVL|RANDOM|SRANDOM|SECONDS|LINENO|EPOCH\w+|BASH\w*|PPID|PIPESTATUS|FUNCNAME|OPT\w+|REPLY|IFS|PS[1-4]|ZSH_\w*|zshexit_functions|(pipe)?status|argv|options|E?UID|E?GID|GROUPS|DIRSTACK|SHELLOPTS|HOST(NAME|TYPE)?|(MACH|OS|CPU)TYPE|VENDOR|TTY\w*|COMP_\w+|HIST\w+|TERM|COLUMNS|LINES|LOGNAME|USERNAME|ERRNO|TRY_BLOCK_\w+|KEYTIMEOUT|LISTMAX|MAILCHECK|TIMEFMT|TMPPREFIX|SHELL|(https?|all|no)_proxy|(HTTPS?|ALL|NO)_PROXY|NODE_USE_ENV_PROXY|MPLCONFIGDIR|signals|\W.*)$/;
const secretExport = /pass|secret|token|key|credential|auth/i;
const secret = /(password|passwd|passphrase|secret|credential|(api|access|private|auth)_?key|(^|_)(token|pwd))s?$/i;

export function savedShell(
  text: string,
  { shell, env, cwd, room }: { shell: ShellName; env: NodeJS.ProcessEnv; cwd: string; room: Room },
): SavedState {
  const [variables = "", functions = "", aliases = "", exports = "", place = ""] = text.split(
    new RegExp(`^${mark}\\w+\\n`, "m"),
  );
  const exported = new Set(splitAssignments(exports).flatMap((each) => assignment(each)?.name ?? []));
  const found = splitAssignments(variables).flatMap((each) => assignment(each) ?? []);
  const names: SavedName[] = [];
  const script: string[] = [];
  for (const { name, type, value, text: whole } of found) {
    const isExported = exported.has(name);
    if (itsOwn.test(name) || (isExported && unquote(value) === env[name])) continue;
    const hush = isExported ? secretExport.test(name) : secret.test(name);
    names.push({ name, type, ...(hush && { gone: "secrets are not saved" }) });
    if (hush) continue;
    script.push(whole);
    if (isExported) script.push(`export ${name}`);
  }
  names.push(...functionsIn(functions), ...aliasesIn(aliases));
  const [folder = "", umask = ""] = place.trim().split("\n");
  script.push(functions, shell === "sh" ? aliasLines(aliases) : aliases, `umask ${umask}`);
  const written = script.join("\n");
  if (written.length > Math.min(room.value, room.total)) throw new StateError("The shell holds too much to be saved.");
  const bytes = Buffer.byteLength(written);
  if (folder === cwd) return { by: shell, names, files: {}, bytes, details: { script: written } };
  names.unshift({ name: "folder", type: "folder", size: folder });
  return { by: shell, names, files: {}, bytes, details: { script: written, folder } };
}

/** The text of a block that brings it back; it prints the folder that it has come to. */
export function restoring({ by, details }: SavedState, shell: ShellName): { script: string; folder?: string } {
  const { script, folder } = details as { script: string; folder?: string };
  if (by !== shell) throw new StateError(`It was saved by ${by}, and this is ${shell}.`);
  return folder === undefined ? { script: `${script}\n` } : { script: `${script}\ncd ${quote(folder)}\n`, folder };
}

/** `wanted` is the folder it was in, `folder` the one it is in now. */
export function restoredShell({ names }: SavedState, wanted: string | undefined, folder: string): Restored {
  const back = names.filter(({ gone }) => gone === undefined).map(({ name }) => name);
  const notes =
    wanted === undefined || folder === wanted
      ? []
      : [`The folder ${wanted} is not there any more; it starts in ${folder}.`];
  return { back, gone: [], older: [], notes };
}

function assignment(text: string): { name: string; type: string; value: string; text: string } | undefined {
  const found = /^(?:(?:declare|typeset|export|local)((?: -\S+)*) )?(?:-- )?([A-Za-z_]\w*)(?:=([\s\S]*))?$/.exec(text);
  if (!found) return undefined;
  const [, flags = "", name = "", value = ""] = found;
  if (flags.includes("r")) return undefined; // cannot be set again
  const type = flags.includes("A") ? "map" : flags.includes("a") ? "array" : flags.includes("i") ? "integer" : "text";
  return { name, type, value, text };
}

function functionsIn(text: string): SavedName[] {
  return [...text.matchAll(/^([^\s(){}]+) \(\) *\{?/gm)].map(([, name]) => ({ name: name!, type: "function" }));
}

function aliasesIn(text: string): SavedName[] {
  return splitAssignments(text).flatMap((each) => {
    const name = /^(?:alias )?(?:-\S+ )?([^=\s]+)=/.exec(each)?.[1];
    return name && name !== "run-help" && name !== "which-command" ? [{ name, type: "alias" }] : [];
  });
}

const aliasLines = (text: string): string =>
  splitAssignments(text)
    .map((each) => `alias ${each}`)
    .join("\n");
