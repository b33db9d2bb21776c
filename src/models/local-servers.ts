// Looks for model servers on this machine: the usual ports, all at once, and never for longer than a moment.

export interface LocalServer {
  /** For people: "Ollama". */
  name: string;
  /** As `--model` writes it. */
  provider: string;
  url: string;
  models: string[];
}

const usual = [
  { name: "Ollama", provider: "ollama", port: 11434 },
  { name: "LM Studio", provider: "lmstudio", port: 1234 },
  { name: "Jan", provider: "jan", port: 1337 },
  { name: "A llama.cpp server", provider: "llamafile", port: 8080 },
  { name: "vLLM", provider: "vllm", port: 8000 },
] as const;

const answerWithin = 150;

export async function findLocalServers(): Promise<LocalServer[]> {
  const asked = await Promise.all(usual.map(ask));
  return asked.filter((server) => server !== undefined);
}

async function ask({ name, provider, port }: (typeof usual)[number]): Promise<LocalServer | undefined> {
  const url = `http://127.0.0.1:${port}/v1`;
  try {
    const response = await fetch(`${url}/models`, { signal: AbortSignal.timeout(answerWithin) });
    const { data } = (await response.json()) as { data?: { id?: unknown }[] };
    if (!response.ok || !Array.isArray(data)) return undefined;
    return { name, provider, url, models: data.map((model) => String(model.id)) };
  } catch {
    return undefined;
  }
}
