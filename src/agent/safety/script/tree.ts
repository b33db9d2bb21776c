// What a script is made of, reduced to what a look needs: the same few shapes for Python and JavaScript.

export type Expression =
  | { type: "text"; text: string; line?: number }
  | { type: "number"; number: number }
  | { type: "name"; name: string }
  | { type: "member"; of: Expression; name: string }
  /** `a[key]`; in JavaScript also a member with a computed name. */
  | { type: "item"; of: Expression; key: Expression }
  | {
      type: "call";
      of: Expression;
      arguments: readonly Expression[];
      named: Readonly<Record<string, Expression>>;
      line: number;
    }
  /** Texts one after another: `+`, a template, a format. */
  | { type: "join"; parts: readonly Expression[] }
  | { type: "list"; items: readonly Expression[] }
  | { type: "record"; entries: readonly (readonly [string, Expression])[] }
  | { type: "function"; parameters: readonly string[]; body: readonly Step[] }
  /** One value for each of a list. */
  | { type: "each"; names: readonly string[]; of: Expression; value: Expression }
  /** Made of these in a way that does not matter. */
  | { type: "several"; parts: readonly Expression[] };

export type Step =
  | { type: "bind"; name: string; value: Expression }
  | { type: "set"; target: Expression; value: Expression; line: number }
  | { type: "import"; name: string; what: string }
  /** `from os import *` */
  | { type: "import-all"; module: string }
  /** `shown` where a session prints what comes out. */
  | { type: "do"; value: Expression; line: number; shown?: boolean }
  | { type: "loop"; names: readonly string[]; of?: Expression; endless: boolean; body: readonly Step[] }
  | { type: "function"; name: string; parameters: readonly string[]; body: readonly Step[] }
  | { type: "return"; value: Expression }
  /** Part of a program of another kind: a line for the shell, a cell of another language. */
  | { type: "block"; language: string; code: string; line: number };
