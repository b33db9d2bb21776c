/** The question about a new host: asked only when code wants one. */
export const loadAskHost = () => import("./ask-host.ts");

/** What was refused: shown only when something was. */
export const loadDeniedLines = () => import("./denied-lines.ts");
