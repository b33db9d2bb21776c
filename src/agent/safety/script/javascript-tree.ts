// JavaScript's syntax tree, as the parser of the sessions makes it, in the few shapes that a look needs.

import type { AnyNode, Expression as Node, Pattern, Program } from "acorn";
import type { Expression, Step } from "./tree.ts";

const long = 200;

/** A block's last expression is what a session prints. */
export function javascriptSteps(program: Program): Step[] {
  const made = steps(program.body as readonly AnyNode[]);
  const last = program.body.at(-1);
  const shown = made.at(-1);
  if (last?.type === "ExpressionStatement" && shown?.type === "do") shown.shown = true;
  return made;
}

const steps = (body: readonly AnyNode[]): Step[] => body.flatMap(step);
const lineOf = (node: AnyNode): number => node.loc?.start.line ?? 1;

function step(node: AnyNode): Step[] {
  switch (node.type) {
    case "ExpressionStatement":
      return expressionSteps(node.expression);
    case "VariableDeclaration":
      return node.declarations.flatMap(({ id, init }) => (init ? bind(id, expression(init), lineOf(node)) : []));
    case "ImportDeclaration": {
      const module = String(node.source.value);
      if (node.specifiers.length === 0) return [{ type: "import", name: "", what: module }];
      return node.specifiers.map((each) => {
        const inner = each.type === "ImportSpecifier" ? `.${nameOf(each.imported)}` : "";
        return { type: "import", name: each.local.name, what: `${module}${inner}` };
      });
    }
    case "FunctionDeclaration":
      return [{ type: "function", name: node.id?.name ?? "", ...withParameters(node.params, steps(node.body.body)) }];
    case "ReturnStatement":
      return node.argument ? [{ type: "return", value: expression(node.argument) }] : [];
    case "ForOfStatement":
    case "ForInStatement": {
      const left = node.left.type === "VariableDeclaration" ? node.left.declarations[0]!.id : node.left;
      const body = [...bind(left as Pattern, { type: "name", name: "#item" }, lineOf(node)), ...step(node.body)];
      return [{ type: "loop", names: ["#item"], of: expression(node.right), endless: false, body }];
    }
    case "ForStatement": {
      const first = node.init ? step(node.init as AnyNode) : [];
      return [...first, { type: "loop", names: [], endless: !node.test, body: step(node.body) }];
    }
    case "WhileStatement":
    case "DoWhileStatement": {
      const endless = node.test.type === "Literal" && Boolean(node.test.value);
      const test: Step = { type: "do", value: expression(node.test), line: lineOf(node) };
      return [test, { type: "loop", names: [], endless, body: step(node.body) }];
    }
    case "ExportNamedDeclaration":
    case "ExportDefaultDeclaration":
      return node.declaration ? step(node.declaration as AnyNode) : [];
    case "MethodDefinition":
    case "PropertyDefinition":
      return node.value ? step(node.value as AnyNode) : [];
    default:
      if (isExpression(node)) return expressionSteps(node);
      // Whatever else there is has statements, expressions, or both.
      return children(node).flatMap(step);
  }
}

/** Assignments bind, also where they stand as a statement. */
function expressionSteps(node: Node): Step[] {
  if (node.type === "AssignmentExpression") {
    const value = expression(node.right);
    const added: Expression = { type: "join", parts: [expression(node.left as Node), value] };
    return bind(node.left as Pattern, node.operator === "+=" ? added : value, lineOf(node));
  }
  if (node.type === "SequenceExpression") return node.expressions.flatMap(expressionSteps);
  return [{ type: "do", value: expression(node), line: lineOf(node) }];
}

function bind(target: Pattern, value: Expression, line: number): Step[] {
  switch (target.type) {
    case "Identifier":
      return [{ type: "bind", name: target.name, value }];
    case "ObjectPattern":
      return target.properties.flatMap((property) =>
        property.type === "RestElement"
          ? bind(property.argument, value, line)
          : bind(property.value, { type: "member", of: value, name: nameOf(property.key) }, line),
      );
    case "ArrayPattern":
      return target.elements.flatMap((element, index) =>
        element ? bind(element, { type: "item", of: value, key: { type: "number", number: index } }, line) : [],
      );
    case "AssignmentPattern":
      return [{ type: "do", value: expression(target.right), line }, ...bind(target.left, value, line)];
    case "RestElement":
      return bind(target.argument, value, line);
    default:
      return [{ type: "set", target: expression(target), value, line }];
  }
}

const nameOf = (node: AnyNode): string =>
  node.type === "Identifier" || node.type === "PrivateIdentifier"
    ? node.name
    : node.type === "Literal"
      ? String(node.value)
      : "?";

/** Parameters by their place, and the steps that give them their names. */
function withParameters(parameters: readonly Pattern[], body: readonly Step[]) {
  const names = parameters.map((_, index) => `#${index}`);
  const named = parameters.flatMap((each, index) => bind(each, { type: "name", name: `#${index}` }, lineOf(each)));
  return { parameters: names, body: [...named, ...body] };
}

const several = (parts: readonly (Node | null)[]): Expression => ({
  type: "several",
  parts: parts.flatMap((part) => (part ? [expression(part)] : [])),
});

export function expression(node: AnyNode): Expression {
  switch (node.type) {
    case "Literal":
      if (typeof node.value === "number") return { type: "number", number: node.value };
      return typeof node.value === "string" ? text(node.value, lineOf(node)) : { type: "name", name: String(node.raw) };
    case "TemplateLiteral":
      return {
        type: "join",
        parts: node.quasis.flatMap((quasi, index) => {
          const inner = node.expressions[index];
          const words = quasi.value.cooked ?? "";
          return [...(words === "" ? [] : [text(words, lineOf(quasi))]), ...(inner ? [expression(inner)] : [])];
        }),
      };
    case "TaggedTemplateExpression":
      return call(expression(node.tag), [expression(node.quasi)], lineOf(node));
    case "Identifier":
      return { type: "name", name: node.name };
    case "ThisExpression":
      return { type: "name", name: "globalThis" };
    case "MemberExpression":
      if (!node.computed) return { type: "member", of: expression(node.object), name: nameOf(node.property) };
      return { type: "item", of: expression(node.object), key: expression(node.property) };
    case "ChainExpression":
    case "ParenthesizedExpression":
      return expression(node.expression);
    case "AwaitExpression":
      return expression(node.argument);
    case "SpreadElement":
    case "YieldExpression":
      return node.argument ? expression(node.argument) : several([]);
    case "CallExpression":
    case "NewExpression":
      return call(expression(node.callee), node.arguments.map(expression), lineOf(node));
    case "ImportExpression":
      return call({ type: "name", name: "import" }, [expression(node.source)], lineOf(node));
    case "BinaryExpression":
      if (node.operator !== "+") return several([node.left as Node, node.right]);
      return { type: "join", parts: [expression(node.left), expression(node.right)] };
    case "LogicalExpression":
      return several([node.left, node.right]);
    case "ConditionalExpression":
      return several([node.test, node.consequent, node.alternate]);
    case "SequenceExpression":
      // (0, eval)("…") calls the last of them.
      return node.expressions.length === 2 && node.expressions[0]!.type === "Literal"
        ? expression(node.expressions[1]!)
        : several(node.expressions);
    case "ArrayExpression":
      return { type: "list", items: node.elements.flatMap((each) => (each ? [expression(each)] : [])) };
    case "ObjectExpression":
      return {
        type: "record",
        entries: node.properties.map((each) =>
          each.type === "SpreadElement"
            ? ["...", expression(each.argument)]
            : [nameOf(each.key), expression(each.value)],
        ),
      };
    case "ArrowFunctionExpression":
    case "FunctionExpression": {
      const body = node.body.type === "BlockStatement" ? steps(node.body.body) : undefined;
      const value: Step[] = body ?? [{ type: "return", value: expression(node.body) }];
      return { type: "function", ...withParameters(node.params, value) };
    }
    case "AssignmentExpression": {
      // As a statement inside: what it sets is seen there.
      const inner: Step[] = expressionSteps(node);
      return call(
        { type: "function", parameters: [], body: [...inner, { type: "return", value: expression(node.right) }] },
        [],
        lineOf(node),
      );
    }
    default:
      return { type: "several", parts: children(node).filter(isExpression).map(expression) };
  }
}

const text = (words: string, line: number): Expression =>
  words.length >= long ? { type: "text", text: words, line } : { type: "text", text: words };

const call = (of: Expression, given: readonly Expression[], line: number): Expression => ({
  type: "call",
  of,
  arguments: given,
  named: {},
  line,
});

const isExpression = (node: AnyNode): node is Node =>
  /Expression$|^(Literal|Identifier|TemplateLiteral)$/.test(node.type);

function children(node: AnyNode): AnyNode[] {
  const isNode = (value: unknown): value is AnyNode =>
    typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}
