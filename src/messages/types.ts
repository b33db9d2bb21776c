// LMC, the one vocabulary of the house: messages while stored, chunks while streaming.
// Everything an original client knows keeps its name and shape; what we add is optional.

export type Role = "user" | "assistant" | "computer" | "server";

/** How a step ended. `exited` means the session itself ended with the block. */
export type StepStatus = "ok" | "error" | "interrupted" | "timeout" | "refused" | "exited" | "not-run";

/** A rich result: MIME type to value, as Jupyter has it (binary values are base64 text). */
export type MimeBundle = Record<string, unknown>;

/** Signatures and sealed thinking: they mean something only to the model that made them, and go back to it as they came. */
export interface FromProvider {
  /** The wire and the model that it came from. */
  wire: string;
  model: string;
  data: Record<string, Record<string, unknown>>;
}

/** Optional additions that any message or chunk may carry. */
export interface Extras {
  /** Links a code message to the console message of its step. */
  id?: string;
  /** Who should see it; absent means everybody. */
  recipient?: "user" | "assistant";
  /**
   * Which stream console output came from; absent means stdout. The person has already seen `stdin` (what they typed) and
   * `terminal` (what a program drew in their terminal).
   */
  stream?: "stdout" | "stderr" | "stdin" | "terminal";
  /** The full set of representations of a displayed value. */
  bundle?: MimeBundle;
  status?: StepStatus;
  exitCode?: number | null;
  /** Milliseconds the step took. */
  duration?: number;
  /** Bytes of memory the session held at the end of the step, where that is known. */
  memory?: number;
  /** The whole output, where the message holds only its head and tail. */
  outputFile?: string;
  /** The message was cut off: by an interrupt, a broken connection or the end of the process. */
  incomplete?: boolean;
  /** On what the model wrote after a block of the same reply: it had not seen what came of that block. */
  sameReply?: true;
  /** What the provider that made the message wants back with it. */
  provider?: FromProvider;
  /** On what the user said while a turn was running: it is part of that turn. */
  steering?: true;
  /** On a summary: how many messages from the beginning of the conversation it stands for. */
  covers?: number;
}

/** The kinds that make a stored message. */
export type StoredType = "message" | "reasoning" | "code" | "console" | "image" | "file" | "audio";

/** The kinds that pass by: each is one chunk of its own, without start and end, and is never stored. */
export type PassingType =
  | "confirmation"
  | "review"
  | "input"
  | "command"
  | "status"
  | "notice"
  | "usage"
  | "answer"
  | "effects"
  | "deliverables"
  | "error";

export interface Message extends Extras {
  role: Role;
  type: StoredType;
  format?: string;
  content: string;
}

/** What a confirmation asks about. */
export interface CodeContent {
  type: "code";
  format: string;
  content: string;
}

/** A fragment of a message, a flag that opens or closes one, or a passing event. */
export interface Chunk extends Extras {
  role: Role;
  type: StoredType | PassingType;
  format?: string;
  start?: true;
  end?: true;
  /** Text for stored kinds; a line number or null for active lines; an object for confirmations and usage. */
  content?: string | number | null | CodeContent | Record<string, unknown>;
  /** On errors and notices: what to do next. */
  hint?: string;
  /** On errors: a stable name programs can test. */
  code?: string;
}
