// Whether a block runs a program that needs a terminal: to ask something there, or to fill the whole screen.

export type TerminalNeed = "to ask" | "the screen";

/** Programs that print elsewhere but ask on the terminal: for a password, or whether a host is known. */
const asking = new Set([
  "sudo",
  "su",
  "doas",
  "ssh",
  "scp",
  "sftp",
  "passwd",
  "gpg",
  "ssh-keygen",
  "ssh-add",
  "kinit",
  "login",
]);

/** Programs that draw on it, or are a prompt themselves. */
const drawing = new Set(
  "vi vim nvim nano emacs pico less more man top htop btop tmux screen watch fzf lazygit tig mc ncdu visudo vipw dialog whiptail nmtui".split(
    " ",
  ),
);

/** Programs that draw only with some arguments. */
const sometimes: Record<string, RegExp> = {
  git: /\b(rebase\s+(-\w*i|--interactive)|add\s+(-\w*[pi]\b|--patch|--interactive)|commit(?!.*\s(-\w*m|--message|-F|--no-edit|--amend\s+--no-edit))|checkout\s+-p|stash\s+-p)/,
  crontab: /\s-e\b/,
  docker: /\b(run|exec)\b.*\s-(it|ti)\b/,
  systemctl: /\sedit\b/,
  python: /\s-i\b/,
  python3: /\s-i\b/,
};

export function terminalNeed(code: string): TerminalNeed | undefined {
  let need: TerminalNeed | undefined;
  for (const command of commandsOf(code)) {
    const words = command.split(/\s+/);
    for (const [index, word] of words.entries()) {
      const program = word.replace(/^.*\//, "");
      const rest = words.slice(index).join(" ");
      if (drawing.has(program) || sometimes[program]?.test(rest)) return "the screen";
      if (asking.has(program) && !/\s(-n|--non-interactive|-S|-oBatchMode=yes)\b/.test(` ${rest}`)) need = "to ask";
      // Only what stands first is a program, but these run another one.
      if (
        !["sudo", "doas", "env", "exec", "time", "nice", "command", "then", "do", "else", "if", "!"].includes(
          program,
        ) &&
        !/^\w+=/.test(word)
      )
        break;
    }
  }
  return need;
}

/** The simple commands of a block, roughly: enough to see which programs are run. Quoted text and comments are left out. */
function commandsOf(code: string): string[] {
  return code
    .replace(/<<-?\s*(['"]?)(\w+)\1[\s\S]*?\n\s*\2\b/g, "")
    .replace(/'[^']*'|"(?:\\.|[^"\\])*"/g, "_")
    .replace(/(^|\s)#.*/g, "")
    .replace(/\\\n/g, " ")
    .split(/[;&|\n(){}`]|\$\(/)
    .map((command) => command.trim())
    .filter((command) => command !== "");
}
