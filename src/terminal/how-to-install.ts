// How to get a model server, in a few lines for each platform.

const ollama: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "brew install ollama, or the app from https://ollama.com/download",
  win32: "winget install Ollama.Ollama, or the installer from https://ollama.com/download",
  linux: "curl -fsSL https://ollama.com/install.sh | sh",
};

export function howToInstall(platform: NodeJS.Platform): string {
  return [
    "Any of these works; start it and choose again:",
    `  Ollama      ${ollama[platform] ?? "https://ollama.com/download"}`,
    "  LM Studio   https://lmstudio.ai, then turn on its local server",
    "  llama.cpp   llama-server -m MODEL.gguf --jinja",
    "Or take the other way here: a model without a server.",
  ].join("\n");
}
