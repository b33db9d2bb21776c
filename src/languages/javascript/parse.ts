// Reads a block: as JavaScript, and as TypeScript when it is not JavaScript or would mean something else as such.

import { type AnyNode, type Options, type Program, parse } from "acorn";
import { BlockSyntaxError } from "./block-syntax-error.ts";
import { walk } from "./syntax-tree.ts";

export interface Parsed {
  /** The text the tree belongs to: the block, without types. */
  text: string;
  program: Program;
  /** How many columns were put before the first line. */
  indent: number;
  /** Source map back to the TypeScript, for blocks that were. */
  map?: string;
}

const options: Options = {
  ecmaVersion: "latest",
  locations: true,
  allowHashBang: true,
  allowAwaitOutsideFunction: true,
  allowImportExportEverywhere: false,
};

export async function parseBlock(code: string): Promise<Parsed> {
  const literal = objectLiteral(code);
  if (literal) return literal;
  const script = parseScript(code);
  if (!(script instanceof BlockSyntaxError) && !hasTypeArguments(script))
    return { text: code, program: script, indent: 0 };
  const { stripTypes } = await import("./strip-types.ts");
  const stripped = stripTypes(code);
  const program = stripped instanceof BlockSyntaxError ? stripped : parseScript(stripped.text);
  if (!(stripped instanceof BlockSyntaxError) && !(program instanceof BlockSyntaxError)) {
    return { ...stripped, program, indent: 0 };
  }
  if (!(script instanceof BlockSyntaxError)) return { text: code, program: script, indent: 0 };
  // Whoever got further has understood more.
  throw program instanceof BlockSyntaxError && program.isAfter(script) ? program.within(code) : script;
}

function parseScript(text: string): Program | BlockSyntaxError {
  try {
    return parse(text, { ...options, sourceType: "module" });
  } catch (error) {
    try {
      return parse(text, { ...options, sourceType: "script" }); // code that only sloppy mode allows
    } catch {
      return BlockSyntaxError.from(error, text, 0);
    }
  }
}

/** `{ a: 1 }` on its own is meant as a value. */
function objectLiteral(code: string): Parsed | undefined {
  if (!/^\s*\{/.test(code)) return undefined;
  const text = `(${code.replace(/[;\s]+$/, "")}\n)`;
  const program = parseScript(text);
  if (program instanceof BlockSyntaxError) return undefined;
  const [first] = program.body;
  const single = program.body.length === 1 && first?.type === "ExpressionStatement";
  return single && first.expression.type === "ObjectExpression" ? { text, program, indent: 1 } : undefined;
}

/** `f<string>(x)` is also two comparisons in JavaScript, which nobody means. */
function hasTypeArguments(program: Program): boolean {
  let found = false;
  walk(program, (node: AnyNode) => {
    if (node.type === "BinaryExpression" && node.operator === ">") {
      const left = node.left;
      if (left.type === "BinaryExpression" && left.operator === "<" && left.start === node.start) found = true;
    }
    return !found;
  });
  return found;
}
