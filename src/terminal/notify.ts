// A quiet word when something long is done and the person may be looking elsewhere.

/** Seconds after which a person may have turned to something else. */
export const longTurn = 20;

/** What tells the terminal: a notification where it is known to have them, and its bell elsewhere. */
export function notification(text: string, env: NodeJS.ProcessEnv): string {
  const knows = /iTerm|WezTerm|ghostty|kitty/i.test(`${env.TERM_PROGRAM ?? ""} ${env.TERM ?? ""}`);
  return knows && !env.TMUX ? `\x1b]9;${text.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, " ")}\x07` : "\x07";
}
