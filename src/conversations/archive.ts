// Everything that is done with conversations that are not going on.

export { findConversation, shortId, shortIds } from "./find.ts";
export { forkConversation } from "./fork.ts";
export { listConversations } from "./list.ts";
export { namesIn as listNames } from "./load.ts";
export { nameOf } from "./name.ts";
export { removeConversation } from "./remove.ts";
export { renameConversation } from "./rename.ts";
export { searchConversations } from "./search.ts";
