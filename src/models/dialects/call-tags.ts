// The tags between which families of models write their calls when a server does not read them.

export interface CallTag {
  open: string;
  /** The first of these ends it; so does the end of the reply. */
  close: readonly string[];
  /** The tag is part of what is read. */
  inside?: true;
  /** What is no call between these tags is Python. */
  code?: true;
}

export const callTags: readonly CallTag[] = [
  // Hermes, Qwen, GLM, Granite 4 and many more
  { open: "<tool_call>", close: ["</tool_call>"] },
  { open: "<function_call>", close: ["</function_call>"] },
  { open: "<functioncall>", close: ["</functioncall>"] },
  // Jamba, Hunyuan, MiniMax M1
  { open: "<tool_calls>", close: ["</tool_calls>"] },
  { open: "<function_calls>", close: ["</function_calls>"] },
  // Qwen Coder, Functionary, Llama
  { open: "<function=", close: ["</function>"], inside: true },
  { open: "<invoke name=", close: ["</invoke>"], inside: true },
  { open: "<minimax:tool_call>", close: ["</minimax:tool_call>"] },
  { open: "<seed:tool_call>", close: ["</seed:tool_call>"] },
  { open: "<TOOLCALL>", close: ["</TOOLCALL>"] },
  // Mistral
  { open: "[TOOL_CALLS]", close: ["[/TOOL_CALLS]"] },
  // Granite 3, Phi
  { open: "<|tool_call|>", close: ["<|/tool_call|>"] },
  // DeepSeek
  { open: "<｜tool▁calls▁begin｜>", close: ["<｜tool▁calls▁end｜>"] },
  { open: "<｜tool▁call▁begin｜>", close: ["<｜tool▁call▁end｜>"] },
  { open: "<｜DSML｜function_calls>", close: ["</｜DSML｜function_calls>"] },
  // Kimi
  { open: "<|tool_calls_section_begin|>", close: ["<|tool_calls_section_end|>"] },
  { open: "<|tool_call_begin|>", close: ["<|tool_call_end|>"] },
  // LFM
  { open: "<|tool_call_start|>", close: ["<|tool_call_end|>"] },
  // Command R and A
  { open: "<|START_ACTION|>", close: ["<|END_ACTION|>"] },
  // InternLM
  { open: "<|action_start|><|plugin|>", close: ["<|action_end|>"] },
  { open: "<|action_start|><|interpreter|>", close: ["<|action_end|>"], code: true },
  // Llama
  { open: "<|python_tag|>", close: ["<|eom_id|>", "<|eot_id|>"], code: true },
  { open: "<|python_start|>", close: ["<|python_end|>"], code: true },
  // Gemma
  { open: "<start_function_call>", close: ["<end_function_call>"] },
  // Apertus
  { open: "<|tools_prefix|>", close: ["<|tools_suffix|>"] },
  // Qwen's older agents
  { open: "✿FUNCTION✿:", close: ["✿RESULT✿", "✿RETURN✿"] },
];

/** What may be left over of a tag once the call has been read. */
export const strayClosers: readonly string[] = [...new Set(callTags.flatMap(({ close }) => close))];
