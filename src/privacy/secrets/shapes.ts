// What secrets look like that are known by their look: how each begins, and how it goes on. Where a shape has a group, the group
// is the secret and what stands around it is not.

export interface Shape {
  /** What stands in its place: ‹secret NAME›. */
  name: string;
  /** Enough to be careful with what follows, while it is still coming. */
  start: string;
  rest: string;
  /** The secret is called what stands before the equals sign. */
  named?: true;
}

const hasDigit = "(?=[\\w-]*\\d)";
const quotes = "[\"']?";

/** These begin where a word begins. */
const words: readonly Shape[] = [
  { name: "AWS access key", start: "A(?:KIA|SIA|BIA|CCA)", rest: "[A-Z2-7]{16}\\b" },
  {
    name: "AWS secret key",
    start: `(?:aws_secret_access_key|SecretAccessKey)${quotes}\\s{0,4}[=:]\\s{0,4}${quotes}`,
    rest: "([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])",
  },
  { name: "GitHub token", start: "gh[pousr]_", rest: "[A-Za-z0-9]{36,255}\\b" },
  { name: "GitHub token", start: "github_pat_", rest: "\\w{40,255}" },
  { name: "GitLab token", start: "gl(?:pat|dt|rt|ft|cbt|ptt|soat|imt|agent)-", rest: `${hasDigit}[\\w.-]{20,255}` },
  { name: "Slack token", start: "x(?:ox[abeoprs]|app)-", rest: `${hasDigit}[\\w-]{20,255}` },
  { name: "Slack webhook", start: "hooks\\.slack\\.com/services/", rest: "(T\\w{6,}/B\\w{6,}/\\w{16,})" },
  { name: "Anthropic key", start: "sk-ant-", rest: `${hasDigit}[\\w-]{20,255}` },
  { name: "OpenRouter key", start: "sk-or-", rest: `${hasDigit}[\\w-]{20,255}` },
  { name: "OpenAI key", start: "sk-(?:proj|svcacct|admin)-", rest: `${hasDigit}[\\w-]{20,255}` },
  { name: "API key", start: "sk-(?<![\\w-]sk-)", rest: "(?=(?:[\\w-]{0,60}?\\d){3})[\\w-]{20,255}" },
  { name: "Stripe key", start: "[sr]k_(?:live|test)_", rest: "[A-Za-z0-9]{16,255}" },
  { name: "Stripe secret", start: "whsec_", rest: "[A-Za-z0-9+/=]{24,255}" },
  { name: "Google key", start: "AIza", rest: "[\\w-]{35}(?![\\w-])" },
  { name: "Google token", start: "ya29\\.", rest: "[\\w.-]{20,}" },
  { name: "Google client secret", start: "GOCSPX-", rest: "[\\w-]{20,60}" },
  { name: "Hugging Face token", start: "hf_", rest: "[A-Za-z0-9]{30,60}\\b" },
  { name: "npm token", start: "npm_", rest: "[A-Za-z0-9]{36}\\b" },
  { name: "PyPI token", start: "pypi-", rest: "[\\w-]{50,}" },
  { name: "SendGrid key", start: "SG\\.", rest: "[\\w-]{16,30}\\.[\\w-]{30,60}" },
  { name: "Groq key", start: "gsk_", rest: "[A-Za-z0-9]{40,}" },
  { name: "xAI key", start: "xai-", rest: "[A-Za-z0-9]{40,}" },
  { name: "Perplexity key", start: "pplx-", rest: "[A-Za-z0-9]{32,}" },
  { name: "NVIDIA key", start: "nvapi-", rest: "[\\w-]{40,}" },
  { name: "Replicate token", start: "r8_", rest: "[A-Za-z0-9]{37}\\b" },
  { name: "DigitalOcean token", start: "do[opr]_v1_", rest: "[0-9a-f]{64}\\b" },
  { name: "Databricks token", start: "dapi", rest: "[0-9a-f]{32}(?:-\\d)?\\b" },
  { name: "Shopify token", start: "shp(?:at|ca|pa|ss)_", rest: "[0-9a-fA-F]{32}\\b" },
  { name: "Vault token", start: "hv[sbr]\\.", rest: "[\\w-]{24,}" },
  { name: "age key", start: "AGE-SECRET-KEY-1", rest: "[A-Z0-9]{50,}" },
  { name: "web token", start: "eyJ", rest: "[\\w-]{10,}\\.eyJ[\\w-]{10,}\\.[\\w-]{10,}" },
  {
    name: "authorization",
    start: "[Aa]uthorization[\"']?\\s{0,4}[:=]\\s{0,4}[\"']?(?:[Bb]earer|[Bb]asic|[Tt]oken)\\s{1,4}",
    rest: "([\\w.~+/=-]{8,})",
  },
  { name: "authorization", start: "[Bb]earer\\s{1,4}", rest: "((?=[\\w.~+/=-]*\\d)[\\w.~+/=-]{20,})" },
  {
    name: "password",
    start:
      "(?:[Pp]assword|PWD|[Pp]wd)(?<=[;&?]\\s?(?:[Pp]assword|PWD|[Pp]wd)|\\b(?:host|user|dbname|port|sslmode)=\\S{1,200} (?:password))=",
    rest: "([^;&\\s\"'$<>{}‹›]{4,200})",
  },
  { name: "shared key", start: "(?:AccountKey|SharedAccessKey)=", rest: "([A-Za-z0-9+/=]{20,})" },
];

/** These begin with a sign, or in the middle of a word. */
const others: readonly Shape[] = [
  { name: "Telegram token", start: ":AA(?<=\\b\\d{8,10}:AA)", rest: "[\\w-]{33}(?![\\w-])" },
  {
    name: "variable",
    named: true,
    start: "(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY)(?:_[A-Z0-9_]{1,20})?=",
    rest: `${quotes}((?=[^\\s"']{0,200}\\d)(?=[^\\s"']{0,200}[A-Za-z])[^\\s"'$\`;&|<>\\x28\\x29{}\\[\\]]{8,200})`,
  },
  {
    name: "private key",
    start: "-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----",
    rest: "(?:\\\\[rn]|\\s|[\\w-]+: [^\\n]{1,100}\\n){0,20}[A-Za-z0-9+/]{40,}[A-Za-z0-9+/=\\s\\\\]*(?:-----END [A-Z0-9 ]{1,40}-----)?",
  },
  {
    name: "password",
    start: ":\\/\\/",
    rest: "[^\\s:@/\"'<>\\[\\]]{0,100}:([^\\s@/\"'<>${}*]{3,200})@(?=[\\w\\[])",
  },
];

export const shapes: readonly Shape[] = [...words, ...others];

const either = (list: readonly string[]): string => `(?:${list.join("|")})`;
/** Without groups: they would make the one pass slow. */
const bare = (source: string): string => source.replace(/(?<!\\)\((?!\?)/g, "(?:");
const whole = ({ start, rest }: Shape): string => bare(start + rest);

/**
 * Find all of them. Two patterns, because both are searched for quickly, and one of everything is not; making them takes
 * longer than reading a page, so `mayHaveShape` comes first.
 */
export const shapePatterns = (): readonly RegExp[] => [
  new RegExp(`\\b${either(words.map(whole))}`, "g"),
  new RegExp(either(others.map(whole)), "g"),
];

/** Whether there is anything in a text that makes looking worth while. */
export const mayHaveShape = (text: string): boolean =>
  /(?=[\w-]{0,40}\d)[\w-]{20}|[\w-]{30}|uthorization|earer |ccess_?[Kk]ey|Key=|:\/\/|[Pp]assw|[Pp]wd|PWD|[A-Z]=|-----BEGIN|:AA/.test(
    text,
  );

/** What the end of a text begins that may become one; it reads no further than to the last space but a few. */
export const unfinishedShape = (): RegExp =>
  new RegExp(
    `\\b${either(words.map(({ start }) => bare(start)))}\\S*$|${either(others.slice(0, 2).map(({ start }) => bare(start)))}\\S*$|:\\/\\/[^\\s@/]*@?$`,
  );

let single: { shape: Shape; pattern: RegExp }[] | undefined;

/** Which of them is at this place of a text, and where the secret in it is. */
export function shapeAt(text: string, at: number): { name: string; from: number; to: number } | undefined {
  single ??= shapes.map((shape) => ({ shape, pattern: new RegExp(shape.start + shape.rest, "dy") }));
  for (const { shape, pattern } of single) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) continue;
    const [from, to] = found.indices![1] ?? found.indices![0]!;
    return { name: shape.named ? nameBefore(text, at) : shape.name, from, to };
  }
  return undefined;
}

/** The whole name of a variable of which a part is at this place. */
const nameBefore = (text: string, at: number): string => {
  const until = text.indexOf("=", at);
  return /\w*$/.exec(text.slice(Math.max(0, at - 60), until))![0];
};
