// Fetches a model with Ollama: which one, and how far it is.

import { bytesIn, type LocalServer, loadEmbedded, loadLocal } from "../models/index.ts";
import { cancellable } from "./cancellable.ts";
import { LineReader } from "./line-reader.ts";
import { type Choice, choose } from "./menu.ts";
import { createProgressBar } from "./progress-bar.ts";
import type { Screen } from "./screen.ts";

/** The model that was fetched; nothing when the person went back, "left" when they left. */
export async function pullWithOllama(server: LocalServer, screen: Screen): Promise<string | undefined> {
  const [{ suggestedModels }, { fitsMemory, memoryHere }] = await Promise.all([loadLocal(), loadEmbedded()]);
  const memory = memoryHere();
  const choices = suggestedModels.map(({ name, bytes, about }): Choice<string | undefined> => {
    const fits = fitsMemory(bytes, memory) ? "" : "too big for this memory, ";
    return { label: name, note: `${bytesIn(bytes)}, ${fits}${about}`, value: name };
  });
  const chosen = await choose(
    {
      title: `Fetch with Ollama (memory: ${bytesIn(memory)})`,
      choices: [...choices, { label: "Another …", note: "any name of ollama.com/library", value: undefined }],
      leaving: "goes back",
    },
    screen,
  );
  if (chosen.type !== "chosen") return chosen.type === "left" ? "left" : undefined;
  const name = chosen.value ?? (await askName(screen));
  return name && (await pull(server, name, screen)) ? `ollama/${name}` : undefined;
}

async function askName({ input, output, plain }: Screen): Promise<string | undefined> {
  const lines = new LineReader(input, output, { plain });
  lines.onInterrupt = () => lines.close();
  try {
    return (await lines.line("Name of the model: "))?.trim() || undefined;
  } finally {
    lines.close();
  }
}

async function pull({ url }: LocalServer, model: string, screen: Screen): Promise<boolean> {
  const { pullModel } = await loadLocal();
  const bar = createProgressBar(screen);
  bar.show({ label: `Asking for ${model}` });
  try {
    const done = await cancellable(screen, async (signal) => {
      await pullModel({
        url,
        model,
        signal,
        onProgress: ({ status, done, total }) =>
          bar.show(total > 0 && done < total ? { label: model, done, total } : { label: `${model}: ${status}` }),
      });
      return true;
    });
    bar.end();
    if (!done) screen.output.write("Stopped. What was fetched is kept: the next time it goes on.\n");
    return done ?? false;
  } finally {
    bar.end();
  }
}
