// What goes to other machines, and what comes from them.

import { comesFrom } from "../value.ts";
import { rules } from "./rule.ts";
import { commandMatches } from "./words.ts";

export const network = rules({
  request: {
    kind: "network",
    severity: "note",
    sentence: "Connects to %.",
    sees: (act) => (act.type === "request" ? (act.host ?? "an address that is not known before it runs") : undefined),
  },
  "download-and-run": {
    kind: "network",
    severity: "danger",
    sentence: "Runs code that it fetches from the network, unseen.",
    sees: (act) => act.type === "run" && comesFrom(act.what, "network"),
  },
  upload: {
    kind: "network",
    severity: "warning",
    sentence: "Sends the content of a file to %.",
    sees: (act) =>
      act.type === "request" && act.upload
        ? (act.host ?? "another machine")
        : uploads.some((each) => commandMatches(act, each)) && "a service",
  },
  "remote-shell": {
    kind: "network",
    severity: "danger",
    sentence: "Gives another machine a shell on this one.",
    sees: (act) => act.type === "remote-shell",
  },
  "open-port": {
    kind: "network",
    severity: "warning",
    sentence: "Opens a port that other machines can reach.",
    sees: (act) => {
      if (act.type === "listen") return act.everywhere;
      if (act.type === "call" && /\.(run|run_server|launch|listen)$|^uvicorn\.run$/.test(act.name)) return undefined;
      return commandMatches(act, / (--host|--bind|--address|-b|--ip)[ =]0\.0\.0\.0\b/) !== undefined || undefined;
    },
  },
  tunnel: {
    kind: "network",
    severity: "warning",
    sentence: "Makes a way into this machine from outside (%).",
    sees: (act) =>
      commandMatches(
        act,
        /^(ngrok|localtunnel|lt|cloudflared tunnel|bore|frpc|chisel client|tailscale funnel)( |$)|^(ssh) (?=.*-\w*R\b)/,
      ),
  },
  "unchecked-connection": {
    kind: "network",
    severity: "note",
    sentence: "Does not check whom it is talking to.",
    sees: (act) =>
      (act.type === "request" && act.unchecked) ||
      (act.type === "variable" &&
        /^(NODE_TLS_REJECT_UNAUTHORIZED|PYTHONHTTPSVERIFY)$/.test(act.name) &&
        act.value.text === "0") ||
      (act.type === "variable" && act.name === "GIT_SSL_NO_VERIFY") ||
      (act.type === "call" && /^ssl\._create_unverified_context$/.test(act.name)),
  },
  "install-from-address": {
    kind: "network",
    severity: "warning",
    sentence: "Installs a package from an address instead of from the registry.",
    sees: (act) =>
      commandMatches(
        act,
        /^((pip3?|uv pip|pipx|uv) (?=.*\binstall\b)(?=.*((git\+)?https?:\/\/|git\+ssh|--(extra-)?index-url|--trusted-host|-i http))|(npm|pnpm|yarn|bun) (?=(i|install|add)\b)(?=.*(https?:|git\+|--registry))|python[\d.]* -m pip (?=.*(git\+|https?:\/\/|--index-url)))/,
      ) !== undefined || undefined,
  },
  "ask-nobody": {
    kind: "privilege",
    severity: "warning",
    sentence: "Starts another agent that asks nobody before it acts.",
    sees: (act) =>
      commandMatches(
        act,
        /^(interpreter|i) (?=(?:.* )?(-y|--auto_run)( |$))|^(claude) (?=.*--dangerously-skip-permissions)|^(codex) (?=.*(--yolo|--dangerously-bypass|--full-auto))|^(gemini) (?=.*(--yolo|-y)\b)|^(aider) (?=.*--yes-always)/,
      ) !== undefined || undefined,
  },
});

const uploads = [
  /^gh gist create /,
  /^(rclone (copy|sync|move)) \S+ \w+:/,
  /^(croc send|wormhole send|magic-wormhole send|ipfs add) /,
];
