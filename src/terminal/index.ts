export { runChat } from "./chat.ts";
export { followTurn, interruptTwice } from "./follow.ts";
export { exitCodes, runOneShot } from "./one-shot.ts";
export { createView } from "./view.ts";
