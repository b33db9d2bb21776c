// What /help says, made from the table.

import { nearest } from "../../settings/index.ts";
import { beginnings, commandNames, commands, findCommand, signature } from "./table.ts";

export function helpFor(written: string): string {
  const name = written.replace(/^[%/]/, "").replaceAll("-", "_");
  if (name === "") return allHelp();
  const command = findCommand(name);
  if (!command) {
    const near = nearest(name, commandNames);
    return `There is no command ${name}. ${near ? `Did you mean /${near}?` : "/help lists them."}\n`;
  }
  const also = command.aliases ? ` Also: ${command.aliases.map((alias) => `/${alias}`).join(", ")}.` : "";
  return `  /${signature(command)}\n  ${sentence(command.help)}${also}\n`;
}

const sentence = (help: string): string => `${help.charAt(0).toUpperCase()}${help.slice(1)}.`;

function allHelp(): string {
  const rows = (legacy: boolean) =>
    commands
      .filter((command) => (command.legacy ?? false) === legacy)
      .map((command) => row(`%${signature(command)}`, command.help));
  return `
${beginnings.map(([written, help]) => row(written, help)).join("")}${rows(false).join("")}
  As the original has them:
${rows(true).join("")}
What you run is part of the conversation: the model sees it. / works like %.
`;
}

function row(left: string, right: string): string {
  return left.length > 19 ? `  ${left}\n${" ".repeat(22)}${right}\n` : `  ${left.padEnd(19)} ${right}\n`;
}
