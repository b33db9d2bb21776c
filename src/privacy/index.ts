export { NeverSend } from "./never-send/index.ts";
export { noteSent } from "./outbox/elsewhere.ts";
export { aboutHidden } from "./outbox/lines.ts";
export { ConversationOutbox, type Outbox, type Outgoing, type Sent } from "./outbox/outbox.ts";
export type { Outboxed, SentRequest } from "./outbox/read.ts";
export { isPicture, maskBundle, maskMessage } from "./secrets/messages.ts";
export { type Mask, type MaskedStream, Secrets } from "./secrets/secrets.ts";

/** Reading what was sent: loaded when somebody wants to see it. */
export const loadOutbox = () => import("./outbox/read.ts");
