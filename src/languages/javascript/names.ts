// What a block of JavaScript needs, declares and changes, and the same block as a program of its own says it. For exports.

import type { AnyNode, Program } from "acorn";
import { parseBlock } from "./parse.ts";
import { declaredNames, hasValue, isOwnWorld, isVariable, lastOf, needsWrapper, walk } from "./syntax-tree.ts";

export interface BlockNames {
  reads: string[];
  declares: string[];
  changes: string[];
  /** Files whose names are written down. */
  filesRead: string[];
  filesMade: string[];
  /** It starts programs, or writes files whose names are only known when it runs. */
  unclear: boolean;
  /** The block, with a call that shows its last value, and with declarations that may come twice. */
  program: string;
}

const mutating = /^(push|pop|shift|unshift|splice|sort|reverse|fill|set|add|delete|clear|append|write|end|copyWithin)$/;
const writing =
  /^(writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|copyFileSync|copyFile|renameSync|rename)$/;
const reading = /^(readFile|readFileSync|createReadStream|readdirSync|existsSync|statSync)$/;

/** Throws when the block cannot be read. */
export async function javascriptNames(code: string): Promise<BlockNames> {
  const { text, program } = await parseBlock(code);
  const declares = declaredNames(program);
  const inner = innerNames(program);
  const reads = new Set<string>();
  const changes = new Set<string>();
  const filesRead = new Set<string>();
  const filesMade = new Set<string>();
  let unclear = false;
  walk(program, (node, parent) => {
    if (node.type === "Identifier" && isVariable(node, parent) && !inner.has(node.name)) reads.add(node.name);
    if (node.type === "AssignmentExpression") note(rootOf(node.left), changes);
    if (node.type === "UpdateExpression") note(rootOf(node.argument), changes);
    if (node.type === "Literal" && (node.value === "child_process" || node.value === "node:child_process"))
      unclear = true;
    if (node.type === "CallExpression") {
      const { callee } = node;
      const name = callee.type === "MemberExpression" && !callee.computed ? nameOf(callee.property) : nameOf(callee);
      const discarded = parent?.type === "ExpressionStatement" || parent?.type === "AwaitExpression";
      const root = callee.type === "MemberExpression" ? rootOf(callee.object) : undefined;
      if (root && root !== "console" && (mutating.test(name) || (discarded && !writing.test(name)))) changes.add(root);
      const path = node.arguments[/^(copy|rename)/.test(name) ? 1 : 0];
      const written = path?.type === "Literal" && typeof path.value === "string" ? path.value : undefined;
      if (writing.test(name)) {
        if (written === undefined) unclear = true;
        else filesMade.add(written);
      } else if (reading.test(name) && written !== undefined) filesRead.add(written);
    }
    return true;
  });
  const unknown = (names: Set<string>) => [...names].filter((name) => !(name in globalThis) && name !== "require");
  return {
    reads: unknown(reads).filter((name) => !declares.includes(name)),
    declares,
    changes: unknown(changes).filter((name) => !declares.includes(name)),
    filesRead: [...filesRead],
    filesMade: [...filesMade],
    unclear,
    program: asProgram(text, program),
  };
}

const note = (name: string | undefined, names: Set<string>): void => {
  if (name) names.add(name);
};

const nameOf = (node: AnyNode): string => (node.type === "Identifier" ? node.name : "");

function rootOf(node: AnyNode): string | undefined {
  let at = node;
  while (at.type === "MemberExpression" || at.type === "CallExpression")
    at = at.type === "MemberExpression" ? at.object : at.callee;
  return at.type === "Identifier" ? at.name : undefined;
}

/** Names that functions and the like have for themselves. */
function innerNames(program: Program): Set<string> {
  const names = new Set<string>();
  const top = new Set(declaredNames(program));
  walk(program, (node) => {
    if (isOwnWorld(node) || node.type === "CatchClause" || /^For/.test(node.type) || node.type === "BlockStatement")
      walk(node, (each, parent) => {
        if (each.type !== "Identifier" || top.has(each.name)) return true;
        const declared = parent?.type === "VariableDeclarator" && parent.id === each;
        const parameter = parent !== undefined && "params" in parent && (parent.params as AnyNode[]).includes(each);
        const pattern =
          /Pattern$|^RestElement$/.test(parent?.type ?? "") || (parent?.type === "Property" && parent.value === each);
        const caught = parent?.type === "CatchClause" && parent.param === each;
        if (declared || parameter || pattern || caught) names.add(each.name);
        return true;
      });
    return true;
  });
  return names;
}

/** `const` and `let` at the top become `var`: several blocks in one program may declare the same name. */
function asProgram(text: string, program: Program): string {
  const edits: [start: number, end: number, text: string][] = [];
  for (const statement of program.body) {
    if (statement.type === "VariableDeclaration" && /^(const|let)$/.test(statement.kind))
      edits.push([statement.start, statement.start + statement.kind.length, "var"]);
    if (statement.type === "ClassDeclaration")
      edits.push([statement.start, statement.start, `var ${statement.id.name} = `]);
  }
  const last = lastOf(program);
  if (last?.type === "ExpressionStatement" && hasValue(last) && !isLogging(last.expression)) {
    const { start, end } = last.expression;
    edits.push([end, end, "); if (shown !== undefined) console.dir(shown); }"], [start, start, "{ const shown = ("]);
  }
  // A module has no `require` of its own.
  if (needsWrapper(program) && /\brequire\(/.test(text))
    edits.push([
      0,
      0,
      'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);\n',
    ]);
  let out = text;
  for (const [start, end, piece] of edits.sort((a, b) => b[0] - a[0]))
    out = out.slice(0, start) + piece + out.slice(end);
  return out;
}

const isLogging = (node: AnyNode): boolean => node.type === "CallExpression" && rootOf(node.callee) === "console";
