// Walking acorn's syntax trees: the few questions a rewrite asks of them.

import type { AnyNode, Identifier, Pattern, Program } from "acorn";

export type Statement = Program["body"][number];

/** Calls `visit` for a node and everything in it; a visit that returns false leaves out what is inside. */
export function walk(node: AnyNode, visit: (node: AnyNode, parent: AnyNode | undefined) => boolean): void {
  const enter = (at: AnyNode, parent: AnyNode | undefined) => {
    if (!visit(at, parent)) return;
    for (const value of Object.values(at)) {
      if (Array.isArray(value)) {
        for (const item of value) if (isNode(item)) enter(item, at);
      } else if (isNode(value)) enter(value, at);
    }
  };
  enter(node, undefined);
}

/** Functions and the like: what is declared or awaited in there is not the top level's. */
export function isOwnWorld(node: AnyNode): boolean {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|StaticBlock)$/.test(node.type);
}

/** Whether the top level can only run inside an async function. */
export function needsWrapper(program: Program): boolean {
  let found = false;
  walk(program, (node) => {
    if (found || isOwnWorld(node)) return false;
    if (node.type === "AwaitExpression" || node.type === "ImportDeclaration" || node.type === "ExportAllDeclaration")
      found = true;
    if (node.type === "ForOfStatement" && node.await) found = true;
    if (node.type === "ExportNamedDeclaration" && node.source) found = true;
    if (node.type === "VariableDeclaration" && /using/.test(node.kind)) found = true;
    return true;
  });
  return found;
}

/** The last statement that does something when the block runs. */
export function lastOf(program: Program): Statement | undefined {
  const idle = /^(FunctionDeclaration|EmptyStatement)$/;
  return program.body.findLast((statement) => {
    if (statement.type === "ExportNamedDeclaration" && statement.declaration)
      return !idle.test(statement.declaration.type);
    if (statement.type === "ExportDefaultDeclaration") return hasValue(statement);
    return !idle.test(statement.type);
  });
}

export function hasValue(statement: Statement | undefined): boolean {
  if (statement?.type === "ExpressionStatement") return true;
  if (statement?.type !== "ExportDefaultDeclaration") return false;
  const { declaration } = statement;
  const named = declaration.type === "FunctionDeclaration" || declaration.type === "ClassDeclaration";
  return !(named && declaration.id);
}

/** Every name the top level declares. */
export function declaredNames(program: Program): string[] {
  const names = variablesOf(program);
  for (const statement of program.body) {
    if (statement.type === "ImportDeclaration") names.push(...statement.specifiers.map(({ local }) => local.name));
    const isExport = statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration";
    const inner = isExport ? statement.declaration : statement;
    if (inner?.type === "VariableDeclaration" && (inner.kind === "let" || inner.kind === "const")) {
      names.push(...inner.declarations.flatMap(({ id }) => namesIn(id)));
    }
    const named = inner?.type === "ClassDeclaration" || inner?.type === "FunctionDeclaration";
    if (named && inner.id) names.push(inner.id.name);
  }
  return names;
}

/** The names declared with `var`, at whatever depth. */
export function variablesOf(program: Program): string[] {
  const names: string[] = [];
  walk(program, (node) => {
    if (isOwnWorld(node)) return false;
    if (node.type === "VariableDeclaration" && node.kind === "var")
      names.push(...node.declarations.flatMap(({ id }) => namesIn(id)));
    return true;
  });
  return names;
}

/** The names a pattern binds. */
function namesIn(pattern: Pattern): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        namesIn(property.type === "RestElement" ? property.argument : property.value),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => (element ? namesIn(element) : []));
    case "AssignmentPattern":
      return namesIn(pattern.left);
    case "RestElement":
      return namesIn(pattern.argument);
    default:
      return [];
  }
}

/** Whether an identifier stands for a variable here, and is not the name of a property or a label. */
export function isVariable(node: Identifier, parent: AnyNode | undefined): boolean {
  switch (parent?.type) {
    case "MemberExpression":
      return parent.computed || parent.object === node;
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
      return parent.computed || parent.key !== node;
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
      return false;
    default:
      return true;
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}
