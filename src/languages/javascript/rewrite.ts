// Turns a block of JavaScript or TypeScript into what the driver can run, so that its top level outlives it.
//
// Top-level variables become properties of the global object, which makes redeclaring them harmless; imports become
// calls that resolve from the working folder; a block that awaits is put into an async function, with its function
// declarations before it. Lines stay where they are, and the columns that move are written down.

import type { AnyNode, ClassDeclaration, FunctionDeclaration, Program, VariableDeclaration } from "acorn";
import { type Definition, definitionsIn } from "./definitions.ts";
import { blanked, Edits, type Shifts } from "./edits.ts";
import { rewriteImport } from "./imports.ts";
import { type Parsed, parseBlock } from "./parse.ts";
import {
  declaredNames,
  hasValue,
  isOwnWorld,
  isVariable,
  lastOf,
  needsWrapper,
  type Statement,
  variablesOf,
  walk,
} from "./syntax-tree.ts";

/** What the driver gets. */
export interface Unit {
  code: string;
  /** Whether the code is an async function to call. */
  wrapped: boolean;
  /** Function declarations to run first, when the rest is inside an async function. */
  functions?: string;
  /** How many columns were put before the first line. */
  indent: number;
  /** The line of the first statement. */
  line: number;
  /** Whether the value of the last statement is shown. */
  shows: boolean;
  /** Whether a promise from the last statement is waited for. */
  waits: boolean;
  /** Names that must exist before the block runs. */
  declare: string[];
  /** Names of Node's own that the session has taken; they live on as `name$`. */
  shadows: string[];
  shifts: Shifts;
  /** Source map from the stripped to the written TypeScript. */
  map?: string;
}

/** What a block declares, for whoever wants to make it again. */
export interface Declared {
  /** By name, the beginning of the statement that declares it. */
  made: Map<string, string>;
  definitions: Definition[];
}

const wrapperStart = "(async () => {";
const builtins = new Set(Object.getOwnPropertyNames(globalThis));

/**
 * Rewrites the blocks of one session. It remembers which of Node's own names the session has declared anew: `const URL`
 * must not take `URL` away from the libraries in the same process, so the session's own is called `URL$` everywhere.
 */
export class Rewriter {
  #taken = new Set<string>();

  /** Rejects with a `BlockSyntaxError` when the block cannot be understood. */
  async rewrite(code: string): Promise<Unit & { declared: Declared }> {
    const parsed = await parseBlock(code);
    const names = declaredNames(parsed.program);
    for (const name of names) if (builtins.has(name)) this.#taken.add(name);
    const block = new BlockRewrite(parsed, this.#taken);
    const unit = block.unit();
    return { ...unit, declared: { made: statementsIn(parsed), definitions: block.definitions() } };
  }
}

function statementsIn({ program, text }: Parsed): Map<string, string> {
  const made = new Map<string, string>();
  for (const statement of program.body) {
    const [line = "", ...rest] = text.slice(statement.start, statement.end).split("\n");
    const beginning = line.length > 120 || rest.length > 0 ? `${line.slice(0, 120)} …` : line;
    for (const name of declaredNames({ ...program, body: [statement] })) made.set(name, beginning);
  }
  return made;
}

class BlockRewrite {
  #text: string;
  #typed: boolean;
  #parsed: Parsed;
  #program: Program;
  #edits: Edits;
  #taken: ReadonlySet<string>;
  #shadows = new Set<string>();
  #functions: FunctionDeclaration[] = [];
  #classNames = new Set<AnyNode>();
  #wrapped: boolean;
  #firstLine = 0;
  #lastLine = 0;

  constructor(parsed: Parsed, taken: ReadonlySet<string>) {
    this.#parsed = parsed;
    this.#text = parsed.text;
    this.#typed = parsed.map !== undefined;
    this.#program = parsed.program;
    this.#edits = new Edits(parsed.text);
    this.#taken = taken;
    this.#wrapped = needsWrapper(parsed.program);
  }

  unit(): Unit {
    const last = lastOf(this.#program);
    if (this.#text.startsWith("#!")) this.#edits.replace(0, 2, "//");
    for (const statement of this.#program.body) this.#statement(statement, statement === last);
    if (this.#wrapped) this.#hoistedVariables();
    this.#everywhere(this.#program);
    const first = this.#program.body[0];
    const strict = first?.type === "ExpressionStatement" && first.directive === "use strict" ? first : undefined;
    const declared = strict ? declaredNames(this.#program) : this.#wrapped ? variablesOf(this.#program) : [];
    const declare = declared.map((name) => this.#nameOf(name));
    const { indent, map } = this.#parsed;
    const ahead = strict ? [strict, ...this.#functions] : this.#functions;
    return {
      code: this.#wrapped ? `${wrapperStart}${this.#render(this.#functions, false)}\n})` : this.#edits.render(),
      wrapped: this.#wrapped,
      ...(this.#wrapped && this.#functions.length > 0 ? { functions: this.#render(ahead, true) } : {}),
      indent: indent + (this.#wrapped ? wrapperStart.length : 0),
      line: this.#firstLine || 1,
      shows: hasValue(last),
      waits: last?.type !== "VariableDeclaration" && last?.type !== "ClassDeclaration",
      declare,
      shadows: [...this.#shadows],
      shifts: this.#edits.shifts(),
      ...(map === undefined ? {} : { map }),
    };
  }

  /** After `unit`. */
  definitions(): Definition[] {
    return definitionsIn(this.#program, this.#text, (from, to) => this.#edits.render(from, to));
  }

  #statement(statement: Statement, last: boolean): void {
    let inner: AnyNode = statement;
    let start = statement.start;
    if (statement.type === "ExportNamedDeclaration" && statement.declaration) {
      inner = statement.declaration;
      start = inner.start;
      this.#edits.blank(statement.start, start);
    } else if (statement.type === "ExportDefaultDeclaration") {
      inner = statement.declaration;
      start = this.#text.indexOf("default", statement.start) + "default".length;
      this.#edits.blank(statement.start, start);
    }
    if (inner.type === "FunctionDeclaration" && inner.id) {
      this.#functions.push(inner);
      return;
    }
    this.#sayLine(statement.loc!.start.line, start);
    const imported = rewriteImport(inner, this.#typed, (name) => this.#nameOf(name));
    if (imported !== undefined) this.#edits.replace(statement.start, statement.end, imported);
    else if (inner.type === "VariableDeclaration") {
      if (this.#wrapped || inner.kind !== "var") this.#assign(inner);
    } else if (inner.type === "ClassDeclaration" && inner.id) this.#class(inner);
    else if (hasValue(statement) && last && this.#wrapped) this.#enclose("return (", start, statement.end);
    else if (statement.type === "ExportDefaultDeclaration") this.#enclose("(", start, statement.end);
  }

  /** The first line is said by the driver; the others before their statement. */
  #sayLine(line: number, at: number): void {
    if (this.#firstLine === 0) this.#firstLine = line;
    else if (line !== this.#lastLine) this.#edits.insert(at, `__load.line(${line});`);
    this.#lastLine = line;
  }

  /** A declaration becomes an assignment. */
  #assign(node: VariableDeclaration, inLoopHead = false): void {
    if (node.kind !== "var" && node.kind !== "let" && node.kind !== "const") return; // `using` ends with its block
    const afterKeyword = node.start + node.kind.length;
    const patterns = node.declarations.some((declarator) => declarator.id.type !== "Identifier");
    if (patterns && !inLoopHead) {
      this.#edits.blank(node.start, afterKeyword);
      this.#enclose("void (", afterKeyword, node.end);
    } else this.#edits.blank(node.start, afterKeyword);
    if (node.kind !== "let") return;
    for (const { init, end } of node.declarations) if (!init) this.#edits.insert(end, " = void 0");
  }

  #class(node: ClassDeclaration): void {
    this.#classNames.add(node.id);
    this.#edits.insert(node.start, `${this.#nameOf(node.id.name)} = `);
    this.#edits.insert(node.end, ";");
  }

  /** Puts brackets around what is between two places, but not around a semicolon at its end. */
  #enclose(open: string, start: number, end: number): void {
    this.#edits.insert(start, open);
    this.#edits.insert(this.#text[end - 1] === ";" ? end - 1 : end, ")");
  }

  /** `var` inside a block or a loop belongs to the top level too. */
  #hoistedVariables(): void {
    const onTop = new Set<AnyNode>(this.#program.body);
    walk(this.#program, (node, parent) => {
      if (isOwnWorld(node)) return false;
      if (node.type !== "VariableDeclaration" || node.kind !== "var" || onTop.has(node)) return true;
      if (parent?.type !== "ExportNamedDeclaration")
        this.#assign(node, /^For/.test(parent?.type ?? "") && !isBody(node, parent));
      return true;
    });
  }

  /** What changes at any depth: import(), import.meta, awaits, and names taken from Node. */
  #everywhere(root: AnyNode): void {
    walk(root, (node, parent) => {
      switch (node.type) {
        case "ImportDeclaration":
        case "ExportAllDeclaration":
          return false;
        case "ExportNamedDeclaration":
          return node.declaration !== null;
        case "ImportExpression":
          this.#edits.replace(node.start, node.start + "import".length, "__load");
          return true;
        case "MetaProperty":
          if (node.meta.name === "import") this.#edits.replace(node.meta.start, node.meta.end, "__load");
          return false;
        case "AwaitExpression":
          this.#edits.insert(node.start + "await".length, " __load.wait(");
          this.#edits.insert(node.end, ")");
          return true;
        case "ForOfStatement":
          if (!node.await) return true;
          this.#edits.insert(node.right.start, "__load.each((");
          this.#edits.insert(node.right.end, "))");
          return true;
        case "Property":
          if (!node.shorthand || node.key.type !== "Identifier" || !this.#taken.has(node.key.name)) return true;
          this.#edits.attach(node.key.end, `: ${this.#nameOf(node.key.name)}`);
          if ((node.value.type as string) === "AssignmentPattern")
            this.#everywhere((node.value as { right?: AnyNode }).right!);
          return false;
        case "Identifier":
          if (!this.#taken.has(node.name) || this.#classNames.has(node) || !isVariable(node, parent)) return true;
          this.#edits.attach(node.end, this.#nameOf(node.name).slice(node.name.length));
          return true;
        default:
          return true;
      }
    });
  }

  #nameOf(name: string): string {
    if (!this.#taken.has(name)) return name;
    this.#shadows.add(name);
    return `${name}$`;
  }

  /** The whole text with only these nodes left in it, or everything but these; the rest is blank. */
  #render(nodes: readonly AnyNode[], inside: boolean): string {
    let text = "";
    let at = 0;
    const piece = (start: number, end: number, keep: boolean) =>
      keep ? this.#edits.render(start, end) : blanked(this.#text.slice(start, end));
    for (const node of nodes) {
      text += piece(at, node.start, !inside) + piece(node.start, node.end, inside);
      at = node.end;
    }
    return text + piece(at, this.#text.length, !inside);
  }
}

function isBody(node: AnyNode, parent: AnyNode | undefined): boolean {
  return (parent as { body?: AnyNode } | undefined)?.body === node;
}
