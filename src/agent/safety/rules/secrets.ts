// What nobody else should read: keys, passwords, and what browsers know.

import { spotOf } from "../place.ts";
import { comesFrom, gap, type Value } from "../value.ts";
import { browserFiles, environmentFile, historyFiles, isSecretName, keyFiles, keyringFiles } from "./paths.ts";
import { type Rule, rules } from "./rule.ts";
import { commandMatches, shortened } from "./words.ts";

/** The path of what is read, where a table has it. */
const reading =
  (files: RegExp): Rule["sees"] =>
  (act, place) => {
    if (act.type !== "read") return undefined;
    const { path } = spotOf(act.path.text ?? gap, place);
    return files.test(path) && !/\.pub$/.test(path) ? shortened(path) : undefined;
  };

const secretIn = (value: Value): string | undefined =>
  value.from.flatMap((source) => (source.type === "variable" && isSecretName(source.name) ? [source.name] : []))[0];

const keyFileIn = (value: Value): boolean =>
  value.from.some(
    (source) =>
      source.type === "file" &&
      [keyFiles, environmentFile, browserFiles, keyringFiles].some((each) => each.test(source.path)),
  );

export const secrets = rules({
  "read-key": {
    kind: "secrets",
    severity: "danger",
    sentence: "Reads keys or passwords in %.",
    sees: reading(keyFiles),
  },
  "read-env-file": {
    kind: "secrets",
    severity: "warning",
    sentence: "Reads %, where projects keep their keys.",
    sees: reading(environmentFile),
  },
  "read-browser": {
    kind: "secrets",
    severity: "danger",
    sentence: "Reads what a browser keeps about you: %.",
    sees: (act, place) =>
      act.type === "call" && /^(browser_cookie3|browsercookie|pycookiecheat)\./.test(act.name)
        ? "cookies"
        : reading(browserFiles)(act, place),
  },
  "read-keyring": {
    kind: "secrets",
    severity: "danger",
    sentence: "Takes passwords out of a keyring (%).",
    sees: (act, place) =>
      reading(keyringFiles)(act, place) ??
      (act.type === "call" &&
      /^(keyring\.get_(password|credential)|secretstorage\.|win32cred\.CredRead|keytar\.(getPassword|findCredentials))/.test(
        act.name,
      )
        ? act.name
        : commandMatches(
            act,
            /^(security (find-(generic|internet)-password|dump-keychain|export)|secret-tool (lookup|search)|pass (show|[\w/.-]+$)|gopass show|op (read|item get)|bw get|gpg2? (?=.*--export-secret)|kwallet-query|cmdkey \/list|vaultcmd|gh auth token|aws configure get|gcloud auth print-(access|identity)-token|vault (read|kv get))/,
          )),
  },
  "read-history": {
    kind: "secrets",
    severity: "warning",
    sentence: "Reads what was typed before, in %.",
    sees: reading(historyFiles),
  },
  "read-process-memory": {
    kind: "secrets",
    severity: "danger",
    sentence: "Reads the memory or the variables of other programs.",
    sees: (act, place) =>
      (act.type === "read" &&
        /^\/proc\/(?!self\/(status|stat|maps|cmdline|cgroup)|cpuinfo)[^/]+\/(environ|mem|maps)$/.test(
          spotOf(act.path.text ?? gap, place).path,
        )) ||
      commandMatches(act, /^(gcore|procdump|mimikatz)( |$)|^(gdb|lldb) (?=.*-p\b)|^ps (?=\S*e\S*ww|eww|auxe)/) !==
        undefined ||
      undefined,
  },
  "ask-cloud-for-keys": {
    kind: "secrets",
    severity: "danger",
    sentence: "Asks the cloud this machine runs in for its keys.",
    sees: (act) =>
      act.type === "request" &&
      /^(169\.254\.169\.254|169\.254\.170\.2|metadata\.google\.internal|100\.100\.100\.200|\[?fd00:ec2::254\]?)$/.test(
        act.host ?? "",
      ),
  },
  "search-for-secrets": {
    kind: "secrets",
    severity: "warning",
    sentence: "Searches files for keys or passwords.",
    sees: (act) =>
      commandMatches(
        act,
        /^(grep|egrep|rg|ag|ack) (?=.*(-\w*[rR]|--recursive|~|\/home|\/etc)|(?<=rg ))(?=.*(passw(or)?d|secret|api[_-]?key|private[_ ]key|aws_access|token=|BEGIN (RSA|OPENSSH)))|^(find|fd|locate|mdfind) .*(id_rsa|id_ed25519|\.pem|\.kdbx|\.env\b|credentials|wallet\.dat|\.aws|\.ssh)|^(trufflehog|gitleaks|laZagne) /i,
      ) !== undefined || undefined,
  },
  "show-secret": {
    kind: "secrets",
    severity: "warning",
    sentence: "Prints the value of %, which the model will read.",
    sees: (act) => (act.type === "show" ? secretIn(act.what) : undefined),
  },
  "show-environment": {
    kind: "secrets",
    severity: "warning",
    sentence: "Prints all variables of the environment, keys among them.",
    sees: (act) => act.type === "show" && comesFrom(act.what, "environment"),
  },
  "send-token": {
    kind: "secrets",
    severity: "warning",
    sentence: "Sends the value of % over the network.",
    sees: (act) => (act.type === "request" ? secretIn(act.sends) : undefined),
  },
  "send-secrets": {
    kind: "secrets",
    severity: "danger",
    sentence: "Sends keys, passwords or the whole environment to %.",
    sees: (act) =>
      act.type === "request" && (comesFrom(act.sends, "environment") || keyFileIn(act.sends))
        ? (act.host ?? "another machine")
        : undefined,
  },
});
