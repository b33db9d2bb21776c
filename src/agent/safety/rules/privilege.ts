// What needs or takes more rights than a block should have, and what harms the machine as a whole.

import { accountFiles } from "./paths.ts";
import { writingTo } from "./persistence.ts";
import { rules } from "./rule.ts";
import { commandMatches, shortened } from "./words.ts";

const called = (pattern: RegExp) => (act: { type: string; name?: string }) =>
  act.type === "call" && pattern.test(act.name ?? "") ? act.name! : undefined;

const isYes = (found: string | undefined): true | undefined => (found === undefined ? undefined : true);

export const privilege = rules({
  "as-root": {
    kind: "privilege",
    severity: "danger",
    sentence: "Runs something with all rights over this machine (%).",
    sees: (act) =>
      commandMatches(
        act,
        /^(sudo|doas|pkexec|run0|gosu|runas)( (?!(-V|--version|-l|-h|--help)$)|$)|^(su)( |$)|^(osascript) (?=.*administrator privileges)|^(powershell|pwsh) (?=.*-Verb RunAs)/i,
      ),
  },
  "set-user-id": {
    kind: "privilege",
    severity: "danger",
    sentence: "Gives a program or itself the rights of another user.",
    sees: (act) =>
      (act.type === "mode" && (/^[2467]\d{3}$/.test(act.mode.replace(/^0o?/, "")) || /[ug]*\+\w*s/.test(act.mode))) ||
      isYes(called(/^(os\.set(e|re|res)?[ug]id|process\.sete?[ug]id|os\.initgroups)$/)(act)) ||
      isYes(commandMatches(act, /^(setcap|capsh) /)),
  },
  "open-to-all": {
    kind: "privilege",
    severity: "warning",
    sentence: "Lets everybody on this machine change %.",
    sees: (act) =>
      act.type === "mode" &&
      (/^0?o?[0-7]?[0-7]{2}[2367]$/.test(act.mode) || /(^|,)(a|o|ugo|go)\+\w*w/.test(act.mode)) &&
      !/^0?o?[2467]\d{3}$/.test(act.mode)
        ? shortened(act.path.text ?? "a file")
        : undefined,
  },
  "give-to-root": {
    kind: "privilege",
    severity: "warning",
    sentence: "Changes whom files belong to (%).",
    sees: (act) =>
      commandMatches(act, /^(chown|chgrp) (?:-\S+ )*(root|0)(:\S*)? /) ??
      (act.type === "call" && /^os\.l?chown$/.test(act.name) && act.values[1]?.number === 0 ? act.name : undefined),
  },
  "change-accounts": {
    kind: "privilege",
    severity: "danger",
    sentence: "Changes %, which decides who may do what on this machine.",
    sees: (act, place) => writingTo(accountFiles)(act, place) ?? commandMatches(act, /^(visudo)( |$)/),
  },
  "open-container": {
    kind: "privilege",
    severity: "danger",
    sentence: "Starts a container that can reach the whole machine.",
    sees: (act) =>
      isYes(
        commandMatches(
          act,
          /^(docker|podman|nerdctl) (?=.*\b(run|create|exec)\b)(?=.*(--privileged|--cap-add[ =](ALL|SYS_ADMIN)|--pid[ =]host|--(net|network)[ =]host|-v \/:|--volume[ =]\/:|-v \/(etc|root|home|var\/run\/docker\.sock)[:/]|source=\/,|docker\.sock|--device[ =]\/dev))/,
        ),
      ),
  },
  mount: {
    kind: "privilege",
    severity: "danger",
    sentence: "Changes what file systems this machine has (%).",
    sees: (act) =>
      commandMatches(
        act,
        /^(mount|umount|losetup|nsenter|chroot|pivot_root|swapoff|cryptsetup|sshfs)( (?!(-l|--help|-V|--version)$)|$)(?=\S)/,
      ) ?? called(/^ctypes\.\w+\(\)\.(mount|umount2?|unshare|setns)$/)(act),
  },
  "kill-process": {
    kind: "privilege",
    severity: "warning",
    sentence: "Ends other programs (%).",
    sees: (act) => (act.type === "kill" && act.who !== "-1" ? shortened(act.who) : undefined),
  },
  "kill-everything": {
    kind: "privilege",
    severity: "danger",
    sentence: "Ends every program it can reach.",
    sees: (act) => act.type === "kill" && act.who === "-1",
  },
  "turn-off": {
    kind: "privilege",
    severity: "danger",
    sentence: "Turns this machine off or starts it anew (%).",
    sees: (act) =>
      commandMatches(
        act,
        /^(shutdown|reboot|halt|poweroff|init [06]|systemctl (?:-\S+ )*(reboot|poweroff|halt|suspend|hibernate))( |$)/,
      ),
  },
  "disable-security": {
    kind: "privilege",
    severity: "danger",
    sentence: "Turns off something that protects this machine (%).",
    sees: (act) =>
      commandMatches(
        act,
        /^(setenforce (0|permissive)|ufw (disable|reset)|(iptables|ip6tables|nft) (-F|--flush|flush|-P \w+ ACCEPT|-X)|systemctl (?:-\S+ )*(stop|disable|mask) (?:\S+ )*(firewalld|ufw|apparmor|auditd|fail2ban|clamav\S*|falcon\S*|iptables|nftables)|spctl --(master|global)-disable|csrutil disable|netsh (advfirewall|firewall) .*(off|disable)|aa-(disable|teardown|complain)|auditctl -[De]|sysctl (-w )?(kernel\.(randomize_va_space|yama\.ptrace_scope|kptr_restrict)|vm\.mmap_min_addr)=|xattr (?=.*com\.apple\.quarantine)|(powershell|pwsh) .*(Set-MpPreference|DisableRealtimeMonitoring|Set-ExecutionPolicy)|launchctl (unload|bootout) .*(com\.apple\.(alf|XProtect)|falcon))/i,
      ),
  },
  kernel: {
    kind: "privilege",
    severity: "danger",
    sentence: "Changes the system's kernel while it runs (%).",
    sees: (act) => commandMatches(act, /^(insmod|modprobe|rmmod|kexec|kextload|kmutil load|bpftool|sysctl -w)( |$)/),
  },
  "fork-bomb": {
    kind: "privilege",
    severity: "danger",
    sentence: "Starts itself again and again until nothing else can run.",
    sees: (act) =>
      act.type === "bomb" ||
      (act.type === "call" &&
        act.endless &&
        /^(os\.fork|child_process\.fork|multiprocessing\.Process\(\)\.start)$/.test(act.name)),
  },
  preload: {
    kind: "privilege",
    severity: "warning",
    sentence: "Makes other programs load code of its own (%).",
    sees: (act) =>
      act.type === "variable" &&
      /^(LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|PYTHONSTARTUP|BASH_ENV|PROMPT_COMMAND|GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|NODE_OPTIONS|PERL5OPT|RUBYOPT)$/.test(
        act.name,
      ) &&
      !/^--(max-old-space-size|no-warnings|enable-source-maps)/.test(act.value.text ?? "")
        ? act.name
        : undefined,
  },
});
