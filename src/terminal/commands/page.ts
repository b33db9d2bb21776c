// The page docs/commands.md, made from the table.

import type { Command } from "./command.ts";
import { beginnings, commands, signature } from "./table.ts";

const head = `# Commands of the chat

A line that begins with \`/\` or \`%\` and the name of a command is one; both signs mean the same, and so do underscores and hyphens in a
name. Tab completes them, and \`/help NAME\` says what one does. A command that does not exist is told, with the one that is likely
meant. A path such as \`/etc/hosts\` at the start of a sentence is not a command.

`;

const tail = `
## Taking back

\`/undo\` takes the last turn out of the conversation: what you said, what the model wrote, and what ran since; and it puts back the files that
its code made, changed, moved or deleted. The model knows nothing of it any more. The log on disk keeps it, followed by a line that says it
was taken back. Variables of the sessions, and anything outside of the folder, are as the code left them. When you have changed one of
those files since, you are asked first. \`/redo\` puts all of it back, until something else is said. \`/undo list\` shows the steps that can be
taken back one by one, and \`/undo 12\` takes back what step 12 did to files, \`/redo 12\` puts it back. [undo.md](undo.md) has the whole
of it. \`/retry\` takes back and says the same again; \`/edit\` puts your words on the line, so that you can change them before you send
them.

## Conversations

Each conversation is kept as it is written. \`/resume\` shows those there are, newest first, and goes on with the one you choose;
\`interpreter conversations\` does the same from your shell, and in a pipe prints them, one to a line. \`/search WORDS\` looks through what
was said, run and printed in all of them. \`/fork 3\` goes on in a copy that ends after the third turn, and leaves the conversation as it
is. \`/rename TITLE\` gives it a name to find it by. Sessions start anew with another conversation; what was in them comes back
as far as it can ([conversations.md](conversations.md)). A copy begins without it.

## Files

\`/export\` writes a markdown file into the folder you are in; \`/export ipynb report.ipynb\` a notebook with the output of each block,
\`/export html\` a page that needs nothing else, \`/export script\` the blocks of the language that was used most, with those that failed as
comments. A file that is there already is not overwritten.

## The clipboard

\`/copy\` takes the last answer, \`/copy 1\` the last block of code, \`/copy 2\` the one before it. It uses the clipboard's program of your
system (\`pbcopy\`, \`clip.exe\`, \`wl-copy\`, \`xclip\`, \`xsel\`); without one, and over ssh, the terminal is asked to do it (OSC 52), which most
do and some have to be told to.
`;

export function commandsPage(): string {
  const rows = (legacy: boolean) => commands.filter((each) => (each.legacy ?? false) === legacy).map(row);
  return `${head}| typed | what it does |
|---|---|
${beginnings.map(([written, help]) => `| \`${written}\` | ${help} |\n`).join("")}
| command | what it does |
|---|---|
${rows(false).join("")}
As the original has them:

| command | what it does |
|---|---|
${rows(true).join("")}${tail}`;
}

function row(command: Command): string {
  const written = `\`/${signature(command).replaceAll("|", "\\|")}\``;
  const aliases = (command.aliases ?? []).map((alias) => `, \`/${alias}\``).join("");
  return `| ${written}${aliases} | ${command.help} |\n`;
}
