// Takes secrets out of a command line and of what it printed: what is known as one everywhere, and what people type into commands.

import { Secrets } from "../../privacy/index.ts";

/** What stands where a secret was typed. */
const hidden = "‹secret›";

const secretName =
  "[\\w.-]*(?:passw(?:or)?d|passphrase|passwd|secret|token|api[_-]?key|access[_-]?key|credential|private[_-]?key|auth)[\\w.-]*";

/** Each keeps what stands before the secret. */
const typed: readonly RegExp[] = [
  // Authorization: Bearer …, Basic …
  /(\b(?:bearer|basic|token)\s+)([\w.~+/=-]{8,})/gi,
  // NAME=value, --name=value, "name": "value"
  new RegExp(`(\\b${secretName}["']?\\s*[=:]\\s*)("[^"]*"|'[^']*'|[^\\s"'&;|‹]+)`, "gi"),
  // --name value
  new RegExp(`(--?${secretName}\\s+)("[^"]*"|'[^']*'|[^\\s"'&;|‹-][^\\s"'&;|]*)`, "gi"),
  // user:password@host
  /([a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)([^\s/@]+)(?=@)/gi,
  // curl -u user:password, --user
  /((?:^|\s)(?:-u|--user)[ =]?["']?[^\s:"']+:)([^\s"']+)/g,
  // mysql -pPASSWORD
  /(\b(?:mysql|mysqldump|mariadb|mysqladmin)\b[^|;&]*?\s-p)([^\s]+)/g,
  // sshpass -p password
  /(\bsshpass\s+-p\s*)("[^"]*"|'[^']*'|[^\s]+)/g,
];

export function withoutSecrets(text: string, env: NodeJS.ProcessEnv, folder: string): string {
  const masked = new Secrets({ env, cwd: folder }).mask(text);
  return typed.reduce((made, pattern) => made.replace(pattern, (_, before: string) => `${before}${hidden}`), masked);
}

/** Whether something was taken out of it. */
export const hasHidden = (text: string): boolean => text.includes("‹secret");
