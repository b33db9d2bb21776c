// A function that starts itself twice each time it runs, and leaves both behind: the machine is full in a moment.

import { forEachChild, type Function as ShellFunction, type SyntaxNode } from "unbash";

export function isBomb({ name, body }: ShellFunction): boolean {
  const isItself = (node: SyntaxNode): boolean => node.type === "Command" && node.name?.value === name.value;
  let found = false;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Pipeline" && node.commands.filter(isItself).length > 1) found = true;
    if (node.type === "Statement" && node.background && isItself(node.command)) found = true;
    if (!found) forEachChild(node, visit);
  };
  visit(body);
  return found;
}
