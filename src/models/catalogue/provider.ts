// What is known of a provider: where it lives, which variable holds its key, which wire it speaks.

export type Wire =
  | "openai-compatible"
  | "openai-chat"
  | "openai-responses"
  | "anthropic"
  | "google"
  | "azure"
  | "bedrock"
  | "vertex"
  | "vertex-anthropic"
  | "mistral"
  | "xai"
  | "cohere"
  | "openrouter"
  | "embedded";

export interface Provider {
  /** What stands before the slash in a model name. */
  name: string;
  /** What a person calls it. */
  label: string;
  wire: Wire;
  /** `${NAME}` in it is taken from the environment. */
  baseUrl: string;
  /** Variables that may hold the key, best first; empty when it needs none. */
  keyVariables: readonly string[];
  /** Variables that may hold another base URL. */
  baseVariables?: readonly string[];
  aliases?: readonly string[];
  /** The provider under whose name its models are listed, where that is another. */
  modelsOf?: string;
  /** Runs on the user's own machine. */
  local?: true;
  /** A model to begin with. */
  suggested?: string;
  /** One that is quick and cheap. */
  quick?: string;
  /** How to start it, for local providers. */
  start?: string;
}
