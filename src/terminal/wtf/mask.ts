// Takes secrets out of a text before a model reads it: what looks like one, and the values of variables that hold one.

/** What stands where a secret was. */
export const hidden = "••••";

const secretName =
  "[\\w.-]*(?:passw(?:or)?d|passphrase|passwd|secret|token|api[_-]?key|access[_-]?key|credential|private[_-]?key|auth)[\\w.-]*";

/** Each keeps what stands before the secret, and what stands behind it. */
const patterns: readonly RegExp[] = [
  // Authorization: Bearer …, Basic …
  /(\b(?:bearer|basic|token)\s+)([\w.~+/=-]{8,})/gi,
  // NAME=value, --name=value, "name": "value"
  new RegExp(`(\\b${secretName}["']?\\s*[=:]\\s*)("[^"]*"|'[^']*'|[^\\s"'&;|]+)`, "gi"),
  // --name value
  new RegExp(`(--?${secretName}\\s+)("[^"]*"|'[^']*'|[^\\s"'&;|-][^\\s"'&;|]*)`, "gi"),
  // user:password@host
  /([a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)([^\s/@]+)(?=@)/gi,
  // curl -u user:password, --user
  /((?:^|\s)(?:-u|--user)[ =]?["']?[^\s:"']+:)([^\s"']+)/g,
  // mysql -pPASSWORD
  /(\b(?:mysql|mysqldump|mariadb|mysqladmin)\b[^|;&]*?\s-p)([^\s]+)/g,
  // sshpass -p password
  /(\bsshpass\s+-p\s*)("[^"]*"|'[^']*'|[^\s]+)/g,
  // Tokens that are known by how they begin.
  /()(\b(?:sk|pk|rk)-[\w-]{16,}|\bgh[opsur]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abeoprs]-[\w-]{10,}|\b(?:AKIA|ASIA)[0-9A-Z]{16}|\bAIza[\w-]{30,}|\bhf_\w{20,}|\bnpm_\w{30,}|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)/g,
  /()(-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$))/g,
];

export function withoutSecrets(text: string, env: NodeJS.ProcessEnv): string {
  let masked = text;
  for (const value of secretValues(env)) masked = masked.replaceAll(value, hidden);
  for (const pattern of patterns) masked = masked.replace(pattern, (_, before: string) => `${before}${hidden}`);
  return masked;
}

/** Longest first, so that none is left in part. */
function secretValues(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env)
    .flatMap(([name, value]) =>
      value && value.length >= 8 && /passw(or)?d|secret|token|key|credential|_pat$/i.test(name) ? [value] : [],
    )
    .filter((value) => !/^[/~]/.test(value))
    .sort((a, b) => b.length - a.length);
}
