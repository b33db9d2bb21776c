export { exitCodes } from "./exit-codes.ts";
export { followTurn, interruptTwice } from "./follow.ts";
export { runOneShot } from "./one-shot.ts";
export { createView } from "./view.ts";

/** The chat, which a task that is given in words never needs. */
export const openChat = () => import("./chat.ts");

/** `interpreter keys`, which few starts need. */
export const openKeysCommand = () => import("./keys-command.ts");

/** `--local`, models without a server, and what they need. */
export const openLocalMenu = () => import("./local-menu.ts");
export const openInstall = () => import("./embedded-setup.ts");

/** `interpreter models`, too. */
export const openModelsCommand = () => import("./models-command.ts");
