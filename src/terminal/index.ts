export { exitCodes } from "./exit-codes.ts";
export { followTurn, interruptTwice } from "./follow.ts";
export { runOneShot } from "./one-shot.ts";
export { createView } from "./view.ts";

/** The chat, which a task that is given in words never needs. */
export const openChat = () => import("./chat.ts");

/** `interpreter keys`, which few starts need. */
export const openKeysCommand = () => import("./keys-command.ts");

/** `interpreter config`, `interpreter trust` and its question, `interpreter rules`, and the list of profiles. */
export const openConfigCommand = () => import("./config-command.ts");
export const openTrust = () => import("./trust.ts");
export const openRulesCommand = () => import("./rules-command.ts");
export const openProfileList = () => import("./profile-list.ts");

/** What is asked of somebody who is here for the first time. */
export const openFirstRun = () => import("./first-run.ts");

/** `--local`, models without a server, and what they need. */
export const openLocalMenu = () => import("./local-menu.ts");
export const openInstall = () => import("./embedded-setup.ts");

/** `interpreter models`, too. */
export const openModelsCommand = () => import("./models-command.ts");

/** `interpreter conversations`, and going on with one of them. */
export const openConversationsCommand = () => import("./conversations-command.ts");
export const openResume = () => import("./resume.ts");

/** `interpreter undo` and `interpreter redo`. */
export const openUndoCommand = () => import("./undo-command.ts");

/** `interpreter outbox`. */
export const openOutboxCommand = () => import("./outbox-command.ts");

/** `interpreter export`, and opening a notebook. */
export const openExportCommand = () => import("./export-command.ts");
export const openNotebookFile = () => import("./notebook-file.ts");

/** The commands of the chat, for the manual page. */
export const openCommandTable = () => import("./commands/list.ts");

/** Folders that are shown by flags of the original. */
export const openFolders = () => import("./folders.ts");

/** `wtf`, and what it needs in the person's shell. */
export const openWtf = () => import("./wtf/index.ts");
export const openHooks = () => import("./wtf/hook.ts");
