// What kind of thing a block does, judged by a look at its words: a help for the person who is asked, and no promise.

export const kinds = [
  "computes",
  "reads files",
  "writes files",
  "deletes files",
  "uses the network",
  "installs packages",
  "starts programs",
  "changes the system",
  "runs code",
] as const;

/** `runs code` means that nobody can tell by looking. */
export type Kind = (typeof kinds)[number];

type Signs = Partial<Record<Kind, RegExp>>;

const python: Signs = {
  "reads files":
    /\bopen\(|\bread_\w+\(|\.(read_text|read_bytes|iterdir|rglob|glob)\(|\bos\.(listdir|walk|scandir|stat)\b|\bglob\.|\b(np|numpy|json|pickle|joblib|torch|yaml)\.(safe_)?load\w*\(|\bImage\.open\(/,
  "writes files":
    /\bopen\([^)\n]*,\s*(mode\s*=\s*)?["'][rb]*[wax+]|\.to_(csv|excel|parquet|json|sql|pickle|feather|hdf|html|stata|latex)\(|\.(savefig|write_text|write_bytes|write_image|write_html|mkdir|touch|rename|replace|symlink_to|chmod)\(|\b(np|numpy|torch|joblib)\.(save\w*|dump)\(|\b(json|pickle|yaml)\.(safe_)?dump\(|\bshutil\.(copy\w*|move|make_archive|unpack_archive)\(|\bos\.(rename|replace|makedirs|mkdir|link|symlink|chmod|chown|truncate)\(|\.save\(|\.extractall\(/,
  "deletes files": /\bos\.(remove|unlink|rmdir|removedirs)\(|\bshutil\.rmtree\(|\.(unlink|rmdir)\(/,
  "uses the network":
    /\b(requests|httpx|aiohttp|urllib|urllib3|socket|ftplib|smtplib|imaplib|paramiko|boto3|websockets?|yfinance)\b|\burlopen\(|\bhttp\.client\b|["'](https?|ftp|s3):\/\//,
  "installs packages":
    /\bpip3?\s+install\b|%(pip|conda)\s+install|\b(conda|mamba|uv\s+pip)\s+install\b|ensurepip|easy_install/,
  "starts programs":
    /\bsubprocess\b|\bos\.(system|popen|exec\w+|spawn\w+|startfile|fork)\(|\bPopen\(|^\s*!|\bmultiprocessing\b|\bpty\.spawn\(/m,
  "changes the system":
    /\bos\.(kill|killpg|setuid|chroot|reboot)\(|\bctypes\b|\bwinreg\b|\bpsutil\.[^\n]*\.(kill|terminate)\(/,
};

const javascript: Signs = {
  "reads files":
    /\b(readFile|readdir|stat|createReadStream|access|opendir)(Sync)?\(|\bexistsSync\(|\bDeno\.read|\bBun\.file\(/,
  "writes files":
    /\b(writeFile|appendFile|mkdir|copyFile|rename|symlink|link|chmod|chown|truncate|cp|mkdtemp)(Sync)?\(|\bcreateWriteStream\(|\bDeno\.write|\bBun\.write\(/,
  "deletes files": /\b(unlink|rm|rmdir)(Sync)?\(|\brimraf\b/,
  "uses the network":
    /\bfetch\(|\b(axios|got|undici|ws|WebSocket)\b|["'](node:)?(https?|net|tls|dgram|dns|http2)["']|\bnew\s+WebSocket\(/,
  "installs packages": /\b(npm|pnpm|yarn|bun)\s+(install|add|i)\b/,
  "starts programs": /child_process|\b(exec|execFile|spawn|fork)(Sync)?\(|\bworker_threads\b/,
  "changes the system": /\bprocess\.(kill|setuid|setgid|chroot)\(/,
};

const sql: Signs = {
  "writes files": /\b(insert|update|create|alter|merge|replace|copy\b[^;]*\bto|attach|vacuum)\b/i,
  "deletes files": /\b(drop|delete|truncate)\b/i,
  "reads files": /\b(select|from|describe|show|pragma|with|values)\b/i,
  "uses the network": /\bhttps?:\/\/|\bs3:\/\/|\bhttpfs\b/i,
  "installs packages": /\binstall\s+\w+/i,
};

const scripts: Record<string, Signs> = { python, javascript, typescript: javascript, sql };
const shells = new Set(["shell", "bash", "zsh", "sh", "fish"]);

/** In the order of `kinds`; at least one. */
export function kindsOf(language: string, code: string): Kind[] {
  if (shells.has(language)) return inOrder(shellKinds(code));
  const signs = scripts[language];
  if (!signs) return ["runs code"];
  const text = withoutComments(language, code);
  const found = kinds.filter((kind) => signs[kind]?.test(text));
  return found.length > 0 ? found : ["computes"];
}

const inOrder = (found: ReadonlySet<Kind>): Kind[] => {
  const only = kinds.filter((kind) => found.has(kind));
  return only.length > 0 ? only : ["computes"];
};

function withoutComments(language: string, code: string): string {
  if (language === "python") return code.replace(/^\s*#.*$/gm, "");
  return language === "sql" ? code.replace(/--.*$/gm, "") : code.replace(/^\s*\/\/.*$/gm, "");
}

const words = (text: string): readonly string[] => text.split(" ");

/** What single programs do; whatever is not here is a program of its own. */
const programs = new Map<string, Kind>([
  ...words(
    "cat head tail less more grep egrep fgrep rg ag find fd wc sort uniq cut tr awk sed stat file du df tree diff cmp comm md5sum sha256sum xxd od strings jq yq column nl tac realpath readlink basename dirname ls exa eza bat zcat zgrep",
  ).map((name) => [name, "reads files"] as const),
  ...words(
    "cd pwd echo printf date cal whoami id uname hostname which type command env export set unset alias true false test [ [[ expr seq sleep read local declare history jobs wait time nproc uptime free ps pgrep locale tput let return exit : if then else elif fi for while until do done case esac function in { } ! source . shift trap umask ulimit hash",
  ).map((name) => [name, "computes"] as const),
  ...words(
    "cp mv mkdir touch tee ln install tar zip unzip gzip gunzip bzip2 xz split csplit truncate dd chmod chown chgrp patch mktemp convert magick ffmpeg pandoc",
  ).map((name) => [name, "writes files"] as const),
  ...words("rm rmdir unlink shred").map((name) => [name, "deletes files"] as const),
  ...words("curl wget ssh scp sftp rsync ping dig nslookup host nc netcat telnet ftp aria2c http gh aws gcloud az").map(
    (name) => [name, "uses the network"] as const,
  ),
  ...words(
    "sudo su doas kill pkill killall systemctl service launchctl mount umount crontab reboot shutdown useradd usermod passwd iptables sysctl mkfs fdisk defaults osascript",
  ).map((name) => [name, "changes the system"] as const),
]);

const installers = /^(pip3?|npm|pnpm|yarn|apt|apt-get|brew|conda|mamba|dnf|yum|pacman|gem|cargo|go|uv|pipx|snap)$/;

function shellKinds(code: string): Set<Kind> {
  const found = new Set<Kind>();
  const text = code.replace(/^\s*#.*$/gm, "").replace(/\\\n/g, " ");
  const bare = text.replace(/"[^"]*"|'[^']*'/g, (quoted) => (quoted.includes("$(") ? quoted : "_"));
  if (
    /(^|[^<>&\d])\d?>>?(?!\s*(\/dev\/null|&))\s*\S/.test(
      bare.replaceAll(/\d?>\s*\/dev\/null|\d?>&\d|&>\s*\/dev\/null/g, ""),
    )
  )
    found.add("writes files");
  for (const command of bare.split(/\$\(|`|[;\n|&(){}]+|\b(?:do|then|else)\b/)) {
    const parts = command
      .trim()
      .split(/\s+/)
      .filter((part) => part !== "" && !/^\w+=\S*$/.test(part));
    const name = parts[0]?.split("/").at(-1);
    if (name) for (const kind of commandKinds(name, parts.slice(1))) found.add(kind);
  }
  // Looking is what a block that also looks is not about.
  if (found.size > 1) found.delete("computes");
  return found;
}

function commandKinds(name: string, args: readonly string[]): Kind[] {
  const rest = args.join(" ");
  if (/^(sudo|doas|env|xargs|time|nice|nohup|command)$/.test(name)) {
    const inner = args.filter((arg) => !arg.startsWith("-"));
    const run = inner[0] ? commandKinds(inner[0], inner.slice(1)) : [];
    return /^(sudo|doas)$/.test(name) ? ["changes the system", ...run] : run.length > 0 ? run : ["computes"];
  }
  if (installers.test(name) && /^(-\S+\s+)*(install|add|i|upgrade|update|get|remove|uninstall|sync)\b/.test(rest))
    return ["installs packages", "uses the network"];
  if (name === "sed" && /(^|\s)-\w*i/.test(rest)) return ["writes files"];
  if (name === "find" && /-delete\b/.test(rest)) return ["deletes files"];
  if (name === "find" && /-exec\b/.test(rest)) return ["starts programs"];
  if (name === "git") return gitKinds(rest);
  if (name.startsWith("_") || name === "-") return [];
  return [programs.get(name) ?? "starts programs"];
}

function gitKinds(rest: string): Kind[] {
  if (/^(clone|fetch|pull|push|ls-remote|submodule)\b/.test(rest)) return ["uses the network", "writes files"];
  if (/^(clean|reset --hard|checkout --|restore|rm|branch -D|stash drop)/.test(rest)) return ["deletes files"];
  if (/^(status|log|diff|show|blame|branch$|ls-files|rev-parse|describe|config --get|remote -v)/.test(rest))
    return ["reads files"];
  return ["writes files"];
}
