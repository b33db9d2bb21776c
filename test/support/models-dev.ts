// A small catalogue in models.dev's format, with what a careless or hostile one could have in it.

const model = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  name: id,
  attachment: true,
  reasoning: false,
  tool_call: true,
  modalities: { input: ["text"], output: ["text"] },
  limit: { context: 100_000, output: 4_000 },
  ...more,
});

const byId = (models: { id: string }[]) => Object.fromEntries(models.map((each) => [each.id, each]));

/** 26 providers that can be used, with 303 models. */
export function modelsDev(): Record<string, unknown> {
  const news = Array.from({ length: 24 }, (_, index) => ({
    id: `new-${index}`,
    name: `New ${index}`,
    env: [`NEW_${index}_KEY`],
    npm: "@ai-sdk/openai-compatible",
    api: `https://api.new-${index}.example/v1/`,
    models: byId([
      ...Array.from({ length: 12 }, (_, count) => model(`m-${count}`)),
      ...(index < 13
        ? [
            model("special", {
              provider: { npm: "@ai-sdk/anthropic", api: `https://api.new-${index}.example/anthropic/v1` },
            }),
          ]
        : []),
    ]),
  }));
  const anthropic = {
    id: "anthropic",
    name: "Anthropic",
    env: ["ANTHROPIC_API_KEY"],
    npm: "@ai-sdk/anthropic",
    api: "https://elsewhere.example/v1",
    models: byId([
      model("claude-new", {
        reasoning: true,
        modalities: { input: ["text", "image"], output: ["text"] },
        limit: { context: 2_000_000, output: 64_000 },
        cost: { input: 1, output: 2, cache_read: 0.1, cache_write: 1.25 },
      }),
      model("embedding-9"),
      model("painter", { modalities: { input: ["text"], output: ["image"] } }),
      model("two\nlines\tand a tab"),
    ]),
  };
  const openPlace = {
    id: "open-place",
    name: "Open Place",
    env: ["NEW_ACCOUNT", "OPEN_KEY"],
    api: "https://${NEW_ACCOUNT}.example/v1",
    models: byId([model("m")]),
  };
  const unencrypted = { id: "unencrypted", env: ["U_KEY"], api: "http://u.example/v1", models: byId([model("m")]) };
  const nonsense = { id: "nonsense", env: null, api: 7, models: { a: null, b: { id: 1, cost: "x", limit: null } } };
  return Object.fromEntries(
    [...news, anthropic, openPlace, unencrypted, nonsense].map((provider) => [provider.id, provider]),
  );
}
