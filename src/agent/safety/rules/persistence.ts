// What stays after the block: started again by a shell, a timetable, a service or a hook.

import { spotOf } from "../place.ts";
import { gap } from "../value.ts";
import {
  authorizedKeys,
  autostartFiles,
  gitHooks,
  interpreterStartFiles,
  serviceFiles,
  shellStartFiles,
  timetables,
} from "./paths.ts";
import { type Rule, rules } from "./rule.ts";
import { commandMatches, shortened } from "./words.ts";

/** The path of what is written, where a table has it. */
export const writingTo =
  (files: RegExp): Rule["sees"] =>
  (act, place) => {
    if (act.type !== "write") return undefined;
    const { path } = spotOf(act.path.text ?? gap, place);
    return files.test(path) ? shortened(path) : undefined;
  };

export const persistence = rules({
  "shell-start-file": {
    kind: "persistence",
    severity: "danger",
    sentence: "Changes %, which runs whenever a shell starts.",
    sees: writingTo(shellStartFiles),
  },
  timetable: {
    kind: "persistence",
    severity: "danger",
    sentence: "Sets something up to be run again and again, or later (%).",
    sees: (act, place) =>
      writingTo(timetables)(act, place) ??
      (act.type === "call" && /^crontab\.CronTab\(\)\.(new|write)/.test(act.name) ? "crontab" : undefined) ??
      commandMatches(
        act,
        /^(crontab) (?!-l\b|.* -l\b)|^(crontab) $|^(at|batch) (?!-l|-c|--help)\S|^(schtasks) (?=.*\/create)|^(systemd-run) (?=.*--on-)/i,
      ),
  },
  service: {
    kind: "persistence",
    severity: "danger",
    sentence: "Sets up a service that goes on after this (%).",
    sees: (act, place) =>
      writingTo(serviceFiles)(act, place) ??
      commandMatches(
        act,
        /^(systemctl (?:--\S+ )*(enable|link|unmask|set-default|daemon-reload)|launchctl (load|bootstrap|enable|submit)|update-rc\.d|chkconfig \S+ on|sc(\.exe)? create|nssm install|pm2 startup|brew services start|loginctl enable-linger|rc-update add)( |$)/,
      ),
  },
  autostart: {
    kind: "persistence",
    severity: "danger",
    sentence: "Makes something start whenever you sign in (%).",
    sees: (act, place) => writingTo(autostartFiles)(act, place) ?? commandMatches(act, /^(osascript) (?=.*login item)/),
  },
  "windows-run-key": {
    kind: "persistence",
    severity: "danger",
    sentence: "Makes Windows start something by itself, through the registry.",
    sees: (act) =>
      (act.type === "call" &&
        /^(winreg|_winreg)\.(SetValueEx|SetValue|CreateKey|CreateKeyEx|OpenKey)$/.test(act.name) &&
        act.values.some(({ text }) => /CurrentVersion\\Run/i.test(text ?? ""))) ||
      commandMatches(
        act,
        /^reg add .*CurrentVersion\\+(Run|RunOnce|Winlogon)|^(powershell|pwsh) .*(New|Set)-ItemProperty.*CurrentVersion\\+Run/i,
      ) !== undefined ||
      undefined,
  },
  "git-hook": {
    kind: "persistence",
    severity: "danger",
    sentence: "Changes what git runs by itself (%).",
    sees: (act, place) =>
      writingTo(gitHooks)(act, place) ??
      commandMatches(act, /^git (?=.*-c (core\.(sshCommand|hooksPath|fsmonitor|pager)|alias\.))(-c \S+)/i) ??
      commandMatches(
        act,
        /^git (?:-C \S+ )?config (?:--\S+ )*(core\.(hooksPath|sshCommand|fsmonitor|pager|editor)|alias\.\S+|credential\.helper|filter\.\S+|init\.templateDir|url\.\S+) \S/i,
      ),
  },
  "authorized-key": {
    kind: "persistence",
    severity: "danger",
    sentence: "Changes who may sign in to this machine, or how (%).",
    sees: (act, place) => writingTo(authorizedKeys)(act, place) ?? commandMatches(act, /^(ssh-copy-id) /),
  },
  "interpreter-start-file": {
    kind: "persistence",
    severity: "danger",
    sentence: "Changes %, which is loaded whenever a program starts.",
    sees: writingTo(interpreterStartFiles),
  },
  "new-account": {
    kind: "persistence",
    severity: "danger",
    sentence: "Makes or changes an account of this machine (%).",
    sees: (act) =>
      commandMatches(
        act,
        /^(useradd|adduser|usermod|passwd|chpasswd|userdel|groupadd|gpasswd|dscl \. -create|sysadminctl -addUser|net (user|localgroup) \S+ .*\/add)( |$)/i,
      ),
  },
  "left-running": {
    kind: "persistence",
    severity: "note",
    sentence: "Leaves a program running in the background (%).",
    sees: (act) => {
      if (act.type !== "command") return undefined;
      if (/^(nohup|setsid|disown|screen|tmux)$/.test(act.name))
        return /^(screen|tmux)$/.test(act.name) && !/-\w*d/.test(act.words.join(" "))
          ? undefined
          : shortened([act.name, ...act.words].join(" "));
      return undefined;
    },
  },
});
