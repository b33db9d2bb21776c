// The settings of the original Open Interpreter's profiles: what each is called here, or why there is nothing like it.

/** Under another name here. Those with the same name need no line. */
export const renamed: Readonly<Record<string, string>> = {
  "llm.model": "model",
  "llm.temperature": "temperature",
  "llm.supports_vision": "llm_supports_vision",
  "llm.supports_functions": "llm_supports_functions",
  "llm.execution_instructions": "execution_instructions",
  "llm.context_window": "context_window",
  "llm.max_tokens": "max_tokens",
  "llm.max_budget": "max_budget",
  "llm.api_base": "api_base",
  "llm.api_key": "api_key",
  "llm.api_version": "api_version",
  plain_text_display: "plain",
  local: "offline",
};

const always = (what: string): string => `${what}, always`;
const noSkills = "there are no files of skills; a profile in TypeScript can give functions to the sessions";
const codeOnly = "only a profile in TypeScript can say that";
const noLog = "there is no such log";
const state = "it is no setting";

/** Without a counterpart, and why. */
export const left: Readonly<Record<string, string>> = {
  verbose: noLog,
  debug: noLog,
  shrink_images: always("pictures are made small enough to be sent"),
  disable_telemetry: "nothing is counted or reported anyway",
  anonymous_telemetry: "nothing is counted or reported",
  contribute_conversation: "conversations stay on this machine",
  conversation_history: always("conversations are kept"),
  conversation_history_path: "they are kept in the data folder",
  conversation_filename: "conversations have names of their own",
  multi_line: always("messages may have several lines"),
  highlight_active_line: "no line is highlighted while code runs",
  speak_messages: "nothing is spoken",
  os: "use --os",
  import_computer_api: always("`computer` is there"),
  sync_computer: always("`computer` is there"),
  skills_path: noSkills,
  import_skills: noSkills,
  start_script: "nothing runs before the conversation; a profile in TypeScript can give functions to the sessions",
  wtf: "it has no settings of its own",
  messages: state,
  in_terminal_interface: state,
  responding: state,
  last_messages_count: state,
  "llm.vision_renderer": codeOnly,
  "llm.completions": codeOnly,
  "computer.languages": "every language found here is offered; those of your own are described under languages",
  "computer.import_computer_api": always("`computer` is there"),
  "computer.import_skills": noSkills,
  "computer.save_skills": noSkills,
  "computer.skills": noSkills,
  "computer.offline": "offline holds for everything",
  "computer.emit_images": "pictures are shown to every model that can see",
  "computer.max_output": "max_output holds for everything",
  "computer.verbose": noLog,
  "computer.debug": noLog,
  "computer.api_base": "no service of others is used",
  "computer.system_message": "code asks computer.help()",
};

/** Names that are in the original's profiles only: one of them tells that a file is such a profile. */
export const isOriginals = (key: string): boolean =>
  /^(llm|computer|version)$/.test(key) || Object.hasOwn(renamed, key) || Object.hasOwn(left, key);
