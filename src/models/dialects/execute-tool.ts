// The one tool. Its definition goes out with every request, so every word counts.

import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";

export const executeTool = (languages: readonly string[]): LanguageModelV4FunctionTool => ({
  type: "function",
  name: "execute",
  description: "Run code on the user's machine. Sessions keep their state between calls.",
  inputSchema: {
    type: "object",
    properties: {
      language: { type: "string", enum: [...languages] },
      code: { type: "string" },
    },
    required: ["language", "code"],
  },
});
