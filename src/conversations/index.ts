export { type Conversation, latestConversation, loadConversation } from "./load.ts";
export { ConversationLog, type Header } from "./log.ts";
export { openSpending, type Spending } from "./spending.ts";
