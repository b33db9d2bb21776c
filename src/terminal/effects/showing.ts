// What shows the effects of a step that is over, loaded when somebody wants to see them.

export { shownRows } from "./effects-list.ts";
export { effectsText, numbered } from "./effects-text.ts";
