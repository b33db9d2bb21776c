// What a block defines at its top level in a way that its text makes again: functions, classes and imports.

import type { AnyNode, Program } from "acorn";
import { isOwnWorld, walk } from "./syntax-tree.ts";

export interface Definition {
  names: string[];
  /** The statement that makes it, without types. */
  source: string;
  kind: "function" | "import";
  /** How the function calls itself once it is there; `undefined` for imports. */
  made?: string;
}

/** `render` gives the text of a part of the block as the driver runs it. */
export function definitionsIn(
  program: Program,
  text: string,
  render: (from: number, to: number) => string,
): Definition[] {
  const found: Definition[] = [];
  const slice = ({ start, end }: AnyNode): string => text.slice(start, end);
  for (const statement of program.body) {
    if (statement.type === "ImportDeclaration") {
      const names = statement.specifiers.map(({ local }) => local.name);
      if (names.length > 0) found.push({ names, source: slice(statement), kind: "import" });
      continue;
    }
    const exported = statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration";
    const inner = (exported ? statement.declaration : statement) as AnyNode | null;
    if (inner?.type === "FunctionDeclaration" && inner.id)
      found.push({
        names: [inner.id.name],
        source: slice(inner),
        kind: "function",
        made: render(inner.start, inner.end),
      });
    if (inner?.type === "ClassDeclaration" && inner.id && isSimple(inner)) {
      const made = render(inner.start, inner.end)
        .replace(/^[^=]*? = (?=class\b)/, "")
        .replace(/;$/, "");
      found.push({ names: [inner.id.name], source: slice(inner), kind: "function", made });
    }
    if (inner?.type !== "VariableDeclaration") continue;
    for (const { id, init } of inner.declarations) {
      if (!init) continue;
      const source = `${inner.kind} ${slice(id)} = ${slice(init)};`;
      if (isImport(init)) found.push({ names: namesOf(id), source, kind: "import" });
      else if (id.type === "Identifier" && isFunction(init) && isSimple(init))
        found.push({ names: [id.name], source, kind: "function", made: render(init.start, init.end) });
    }
  }
  return found;
}

const isFunction = ({ type }: AnyNode): boolean =>
  /^(ArrowFunctionExpression|FunctionExpression|ClassExpression)$/.test(type);

/** Making a class again must not do anything else: no code in its body runs but plain values. */
function isSimple(node: AnyNode): boolean {
  if (node.type !== "ClassDeclaration" && node.type !== "ClassExpression") return true;
  if (node.superClass && node.superClass.type !== "Identifier") return false;
  return node.body.body.every((member) => {
    if (member.type === "StaticBlock") return false;
    if (member.type !== "PropertyDefinition" || !member.static || !member.value) return true;
    return isPlain(member.value);
  });
}

function isPlain(node: AnyNode): boolean {
  let plain = true;
  walk(node, (inner) => {
    if (isOwnWorld(inner)) return false;
    if (/^(CallExpression|NewExpression|AwaitExpression|ImportExpression|TaggedTemplateExpression)$/.test(inner.type))
      plain = false;
    return plain;
  });
  return plain;
}

/** `require("x")`, `require("x").y` and `await import("x")`. */
function isImport(node: AnyNode): boolean {
  if (node.type === "MemberExpression" && !node.computed) return isImport(node.object);
  if (node.type === "AwaitExpression") return node.argument.type === "ImportExpression" && isText(node.argument.source);
  if (node.type !== "CallExpression" || node.callee.type !== "Identifier" || node.callee.name !== "require")
    return false;
  return node.arguments.length === 1 && isText(node.arguments[0]!);
}

const isText = (node: AnyNode): boolean => node.type === "Literal" && typeof node.value === "string";

function namesOf(pattern: AnyNode): string[] {
  if (pattern.type === "Identifier") return [pattern.name];
  if (pattern.type !== "ObjectPattern") return [];
  return pattern.properties.flatMap((property) =>
    property.type === "Property" && property.value.type === "Identifier" ? [property.value.name] : [],
  );
}
