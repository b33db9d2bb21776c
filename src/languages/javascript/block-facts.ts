// What a block of JavaScript does to the names of its session, read from its code.

import type { AnyNode } from "acorn";
import type { BlockFacts } from "../state.ts";
import { parseBlock } from "./parse.ts";
import { declaredNames, isVariable, walk } from "./syntax-tree.ts";

const looking =
  /^(log|info|error|table|map|filter|reduce|forEach|find|includes|slice|join|keys|values|entries|get|has|toString)$/;

export async function factsOfBlock(code: string): Promise<BlockFacts> {
  const facts = { written: new Set<string>(), read: new Set<string>(), changed: new Set<string>() };
  const modules: string[] = [];
  const { program } = await parseBlock(code).catch(() => ({ program: undefined }));
  if (program) {
    for (const name of declaredNames(program)) facts.written.add(name);
    for (const statement of program.body)
      if (statement.type === "ImportDeclaration") modules.push(...statement.specifiers.map(({ local }) => local.name));
    walk(program, (node, parent) => {
      if (node.type === "ImportDeclaration") return false;
      if (node.type === "Identifier" && isVariable(node, parent)) facts.read.add(node.name);
      if (node.type === "AssignmentExpression") assigned(node.left, node.operator !== "=", facts);
      if (node.type === "UpdateExpression") assigned(node.argument, true, facts);
      if (node.type === "UnaryExpression" && node.operator === "delete") assigned(node.argument, true, facts);
      if (node.type === "ExpressionStatement") called(node.expression, facts);
      return true;
    });
  }
  const { written, read, changed } = facts;
  return { written: [...written], read: [...read], changed: [...changed], deleted: [], modules };
}

type Sets = Record<"written" | "changed", Set<string>>;

function assigned(target: AnyNode, changes: boolean, { written, changed }: Sets): void {
  const name = rootOf(target);
  if (name === undefined) return;
  if (target.type === "Identifier" && !changes) written.add(name);
  else changed.add(name);
}

/** `x` of a statement such as `x.push(1)`, which is there for what it does to x. */
function called(node: AnyNode, { changed }: Sets): void {
  const call = node.type === "AwaitExpression" ? node.argument : node;
  if (call.type !== "CallExpression" || call.callee.type !== "MemberExpression") return;
  const { property } = call.callee;
  const name = rootOf(call.callee);
  if (name && !(property.type === "Identifier" && looking.test(property.name))) changed.add(name);
}

function rootOf(node: AnyNode): string | undefined {
  let at = node;
  while (at.type === "MemberExpression") at = at.object;
  return at.type === "Identifier" ? at.name : undefined;
}
