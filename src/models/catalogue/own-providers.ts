// The providers we know by heart: what a person should be offered first, with the names and variables people use.

import type { Provider } from "./provider.ts";

const firstParty: readonly Provider[] = [
  {
    name: "openai",
    label: "OpenAI",
    wire: "openai-responses",
    baseUrl: "https://api.openai.com/v1",
    keyVariables: ["OPENAI_API_KEY"],
    baseVariables: ["OPENAI_BASE_URL", "OPENAI_API_BASE"],
    suggested: "gpt-5.4",
    quick: "gpt-5.4-mini",
  },
  {
    name: "openai-responses",
    modelsOf: "openai",
    label: "OpenAI",
    wire: "openai-responses",
    baseUrl: "https://api.openai.com/v1",
    keyVariables: ["OPENAI_API_KEY"],
  },
  {
    name: "openai-chat",
    modelsOf: "openai",
    label: "OpenAI",
    wire: "openai-chat",
    baseUrl: "https://api.openai.com/v1",
    keyVariables: ["OPENAI_API_KEY"],
  },
  {
    name: "anthropic",
    label: "Anthropic",
    wire: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    keyVariables: ["ANTHROPIC_API_KEY"],
    baseVariables: ["ANTHROPIC_BASE_URL"],
    aliases: ["claude"],
    suggested: "claude-sonnet-5",
    quick: "claude-haiku-4-5",
  },
  {
    name: "google",
    label: "Google",
    wire: "google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_API_KEY"],
    aliases: ["gemini"],
    suggested: "gemini-2.5-pro",
    quick: "gemini-2.5-flash",
  },
];

const local = (name: string, label: string, port: number, start: string, more: Partial<Provider> = {}): Provider => ({
  name,
  label,
  wire: "openai-compatible",
  baseUrl: `http://127.0.0.1:${port}/v1`,
  keyVariables: [],
  local: true,
  start,
  ...more,
});

const localServers: readonly Provider[] = [
  local("ollama", "Ollama", 11434, "Start it with `ollama serve`", {
    baseVariables: ["OLLAMA_HOST"],
    aliases: ["ollama_chat"],
  }),
  local("lmstudio", "LM Studio", 1234, "Start its local server in the Developer tab, or with `lms server start`", {
    aliases: ["lm-studio", "lm_studio"],
  }),
  local("jan", "Jan", 1337, "Start Jan and turn on its local API server"),
  local("llamafile", "llamafile", 8080, "Start the llamafile with `--server`"),
  local("llamacpp", "llama.cpp", 8080, "Start it with `llama-server -m MODEL.gguf --jinja`", {
    aliases: ["llama.cpp", "llama-cpp"],
  }),
  local("vllm", "vLLM", 8000, "Start it with `vllm serve MODEL`", { aliases: ["hosted_vllm"] }),
];

const hosted = (name: string, label: string, baseUrl: string, key: string, more: Partial<Provider> = {}): Provider => ({
  name,
  label,
  wire: "openai-compatible",
  baseUrl,
  keyVariables: [key],
  ...more,
});

const hostedServers: readonly Provider[] = [
  // Its package: thoughts with their signatures, what the request really cost.
  hosted("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", { wire: "openrouter" }),
  // Groq and DeepSeek lose nothing as plain chat completions: thoughts, cached tokens and calls are all in them.
  hosted("groq", "Groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY"),
  // Its package: Mistral refuses fields that OpenAI has and it has not.
  hosted("mistral", "Mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY", {
    wire: "mistral",
    suggested: "mistral-large-latest",
    quick: "mistral-small-latest",
  }),
  hosted("codestral", "Codestral", "https://codestral.mistral.ai/v1", "CODESTRAL_API_KEY", {
    wire: "mistral",
    modelsOf: "mistral",
    suggested: "codestral-latest",
  }),
  hosted("deepseek", "DeepSeek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY", {
    suggested: "deepseek-v4-pro",
    quick: "deepseek-v4-flash",
  }),
  // Its package: the thoughts of its models come only with its kind of responses.
  hosted("xai", "xAI", "https://api.x.ai/v1", "XAI_API_KEY", { wire: "xai", aliases: ["grok"] }),
  hosted("together", "Together AI", "https://api.together.xyz/v1", "TOGETHER_API_KEY", {
    keyVariables: ["TOGETHER_API_KEY", "TOGETHERAI_API_KEY"],
    aliases: ["together_ai", "togetherai"],
  }),
  hosted("fireworks", "Fireworks", "https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY", {
    keyVariables: ["FIREWORKS_API_KEY", "FIREWORKS_AI_API_KEY"],
    aliases: ["fireworks_ai", "fireworks-ai"],
  }),
  hosted("cerebras", "Cerebras", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"),
  hosted("perplexity", "Perplexity", "https://api.perplexity.ai", "PERPLEXITY_API_KEY", {
    keyVariables: ["PERPLEXITY_API_KEY", "PPLX_API_KEY", "PERPLEXITYAI_API_KEY"],
    aliases: ["pplx"],
    suggested: "sonar-pro",
  }),
  hosted("nvidia", "NVIDIA", "https://integrate.api.nvidia.com/v1", "NVIDIA_API_KEY", {
    keyVariables: ["NVIDIA_API_KEY", "NVIDIA_NIM_API_KEY"],
    aliases: ["nvidia_nim"],
  }),
  hosted("deepinfra", "DeepInfra", "https://api.deepinfra.com/v1/openai", "DEEPINFRA_API_KEY"),
  hosted("huggingface", "Hugging Face", "https://router.huggingface.co/v1", "HF_TOKEN", {
    keyVariables: ["HF_TOKEN", "HUGGINGFACE_API_KEY"],
    aliases: ["hf"],
  }),
  hosted("moonshot", "Moonshot AI", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY", {
    aliases: ["kimi", "moonshotai"],
  }),
  hosted("zai", "Z.ai", "https://api.z.ai/api/paas/v4", "ZAI_API_KEY", {
    keyVariables: ["ZAI_API_KEY", "ZHIPU_API_KEY"],
  }),
  hosted("alibaba", "Alibaba", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY", {
    aliases: ["dashscope", "qwen"],
  }),
  hosted("minimax", "MiniMax", "https://api.minimax.io/v1", "MINIMAX_API_KEY"),
  hosted("sambanova", "SambaNova", "https://api.sambanova.ai/v1", "SAMBANOVA_API_KEY"),
  hosted("nebius", "Nebius", "https://api.tokenfactory.nebius.com/v1", "NEBIUS_API_KEY"),
  hosted("novita", "Novita", "https://api.novita.ai/openai/v1", "NOVITA_API_KEY", { aliases: ["novita-ai"] }),
  hosted("hyperbolic", "Hyperbolic", "https://api.hyperbolic.xyz/v1", "HYPERBOLIC_API_KEY"),
  hosted("siliconflow", "SiliconFlow", "https://api.siliconflow.com/v1", "SILICONFLOW_API_KEY"),
  hosted("baseten", "Baseten", "https://inference.baseten.co/v1", "BASETEN_API_KEY"),
  hosted("anyscale", "Anyscale", "https://api.endpoints.anyscale.com/v1", "ANYSCALE_API_KEY"),
  // Its package: thoughts and cached tokens are only in Cohere's own format.
  hosted("cohere", "Cohere", "https://api.cohere.com/v2", "COHERE_API_KEY", {
    wire: "cohere",
    keyVariables: ["COHERE_API_KEY", "CO_API_KEY"],
  }),
  hosted("ai21", "AI21", "https://api.ai21.com/studio/v1", "AI21_API_KEY"),
  hosted("github", "GitHub Models", "https://models.github.ai/inference", "GITHUB_TOKEN", {
    aliases: ["github_models", "github-models"],
  }),
  hosted("vercel", "Vercel AI Gateway", "https://ai-gateway.vercel.sh/v1", "AI_GATEWAY_API_KEY"),
  hosted("scaleway", "Scaleway", "https://api.scaleway.ai/v1", "SCALEWAY_API_KEY"),
  hosted("ovhcloud", "OVHcloud", "https://oai.endpoints.kepler.ai.cloud.ovh.net/v1", "OVHCLOUD_API_KEY"),
  hosted("inception", "Inception", "https://api.inceptionlabs.ai/v1", "INCEPTION_API_KEY"),
  hosted("upstage", "Upstage", "https://api.upstage.ai/v1", "UPSTAGE_API_KEY"),
];

/** Clouds where the address and the key are the person's own. */
const clouds: readonly Provider[] = [
  // Its package: responses, with their thoughts; the address and the key go into places of their own.
  hosted("azure", "Azure OpenAI", "https://${AZURE_RESOURCE_NAME}.openai.azure.com/openai", "AZURE_API_KEY", {
    wire: "azure",
    keyVariables: ["AZURE_API_KEY", "AZURE_OPENAI_API_KEY"],
    baseVariables: ["AZURE_API_BASE", "AZURE_OPENAI_ENDPOINT"],
  }),
  hosted("azure-chat", "Azure", "https://${AZURE_RESOURCE_NAME}.openai.azure.com/openai", "AZURE_API_KEY", {
    keyVariables: ["AZURE_API_KEY", "AZURE_OPENAI_API_KEY", "AZURE_AI_API_KEY"],
    baseVariables: ["AZURE_API_BASE", "AZURE_OPENAI_ENDPOINT", "AZURE_AI_API_BASE"],
    aliases: ["azure_ai"],
    modelsOf: "azure",
  }),
  // Its package: requests are signed, and replies come in frames of Amazon's own.
  hosted(
    "bedrock",
    "Amazon Bedrock",
    "https://bedrock-runtime.${AWS_REGION}.amazonaws.com",
    "AWS_BEARER_TOKEN_BEDROCK",
    { wire: "bedrock", aliases: ["amazon-bedrock"] },
  ),
  // Its package: Google's own sign-in, or a key in express mode.
  hosted("vertex", "Google Vertex AI", "https://aiplatform.googleapis.com/v1", "GOOGLE_VERTEX_API_KEY", {
    wire: "vertex",
    aliases: ["vertex_ai", "google-vertex"],
  }),
];

/** No server at all: the weights are run in this process. */
const embedded: Provider = {
  name: "embedded",
  label: "The embedded engine",
  wire: "embedded",
  baseUrl: "",
  keyVariables: [],
  local: true,
};

/** In the order a person should be offered them. */
export const ownProviders: readonly Provider[] = [
  ...firstParty,
  ...hostedServers,
  ...clouds,
  ...localServers,
  embedded,
];
