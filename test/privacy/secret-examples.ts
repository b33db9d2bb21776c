// Examples of every shape of secret, put together from parts so that nobody takes this file for a leak.

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Letters and digits that look random and are the same each time. */
export function letter(count: number, from = letters, seed = 7): string {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return from[Math.floor(state / 65_536) % from.length];
  }).join("");
}

const hex = (count: number): string => letter(count, "0123456789abcdef");
const base64 = (count: number): string => letter(count, `${letters}+/`);
const pem = `${base64(64)}\n${base64(64)}\n${base64(64)}\n${base64(20)}==`;

/** What is printed, what of it is the secret, and what it is called. */
export const examples: readonly (readonly [name: string, text: string, secret: string])[] = [
  ...(
    [
      ["AWS access key", `AKI${"A"}${letter(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")}`],
      ["AWS access key", `ASI${"A"}${letter(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")}`],
      ["GitHub token", `gh${"p_"}${letter(36)}`],
      ["GitHub token", `gh${"s_"}${letter(36)}`],
      ["GitHub token", `github${"_pat_"}${letter(22)}_${letter(59)}`],
      ["GitLab token", `gl${"pat-"}${letter(20)}`],
      ["Slack token", `xo${"xb-"}123456789012-1234567890123-${letter(24)}`],
      ["Slack token", `xa${"pp-"}1-A0123456789-1234567890123-${hex(64)}`],
      ["Anthropic key", `sk${"-ant-"}api03-${letter(93)}-${letter(6)}AA`],
      ["OpenRouter key", `sk${"-or-"}v1-${hex(64)}`],
      ["OpenAI key", `sk${"-proj-"}${letter(48)}_${letter(20)}`],
      ["API key", `sk${"-"}${letter(48)}`],
      ["API key", `sk${"-"}${hex(32)}`],
      ["Stripe key", `sk${"_live_"}${letter(24)}`],
      ["Stripe secret", `wh${"sec_"}${letter(32)}`],
      ["Google key", `AI${"za"}${letter(35)}`],
      ["Google token", `ya${"29."}${letter(60)}`],
      ["Google client secret", `GOC${"SPX-"}${letter(28)}`],
      ["Hugging Face token", `h${"f_"}${letter(34)}`],
      ["npm token", `np${"m_"}${letter(36)}`],
      ["PyPI token", `py${"pi-"}AgEIcHlwaS5vcmc${letter(70)}`],
      ["SendGrid key", `S${"G."}${letter(22)}.${letter(43)}`],
      ["Groq key", `gs${"k_"}${letter(52)}`],
      ["xAI key", `xa${"i-"}${letter(80)}`],
      ["Perplexity key", `ppl${"x-"}${letter(48)}`],
      ["NVIDIA key", `nv${"api-"}${letter(64)}`],
      ["Replicate token", `r${"8_"}${letter(37)}`],
      ["DigitalOcean token", `do${"p_v1_"}${hex(64)}`],
      ["Databricks token", `da${"pi"}${hex(32)}`],
      ["Shopify token", `shp${"at_"}${hex(32)}`],
      ["Vault token", `hv${"s."}${letter(90)}`],
      ["age key", `AGE-SECRET${"-KEY-1"}${letter(58, "ABCDEFGHJKLMNPQRSTUVWXYZ023456789")}`],
      ["web token", `ey${"J"}hbGciOiJIUzI1NiJ9.ey${"J"}${letter(40)}.${letter(43)}`],
      ["private key", `-----BEGIN RSA ${"PRIVATE"} KEY-----\n${pem}\n-----END RSA ${"PRIVATE"} KEY-----`],
      [
        "private key",
        `-----BEGIN ${"PRIVATE"} KEY-----\\n${base64(64)}\\n${base64(64)}\\n-----END ${"PRIVATE"} KEY-----`,
      ],
    ] as const
  ).map(([name, secret]) => [name, secret, secret] as const),
  ["Telegram token", `1234567890${":AA"}${letter(33)}`, `:AA${letter(33)}`],
  ["AWS secret key", `aws_secret_access_key = ${base64(40)}`, base64(40)],
  ["AWS secret key", `"SecretAccessKey": "${base64(40)}"`, base64(40)],
  [
    "Slack webhook",
    `https://hooks.slack.com/services/T01234567/B01234567/${letter(24)}`,
    `T01234567/B01234567/${letter(24)}`,
  ],
  ["authorization", `Authorization: Basic ${base64(24)}`, base64(24)],
  ["authorization", `{"authorization": "Bearer ${letter(40)}"}`, letter(40)],
  ["authorization", `curl -H 'X-Auth: Bearer ${letter(40)}'`, letter(40)],
  ["password", "postgres://anna:wonder-4711@db.internal:5432/shop", "wonder-4711"],
  ["password", "https://oauth2:qwertz99x@git.example.org/a.git", "qwertz99x"],
  ["password", "redis://:geheim!x9@cache:6379/0", "geheim!x9"],
  ["password", "Server=db;Database=shop;User Id=anna;Password=wonder-4711;Encrypt=true", "wonder-4711"],
  ["password", "host=db user=anna password=wonder-4711 dbname=shop", "wonder-4711"],
  ["password", "jdbc:mysql://db/shop?user=anna&password=wonder-4711", "wonder-4711"],
  ["shared key", `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${base64(86)}==`, `${base64(86)}==`],
  ["SHOP_API_KEY", `export SHOP_API_KEY=${letter(20)}`, letter(20)],
  ["DB_PASSWORD", `DB_PASSWORD="wonder-4711"`, "wonder-4711"],
];
