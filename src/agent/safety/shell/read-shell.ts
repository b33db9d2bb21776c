// Reads a block for the shell by its grammar, and follows it: variables, pipes, substitutions, loops, functions.

import {
  type Assignment,
  type Command,
  type CompoundList,
  forEachChild,
  parse,
  type Function as ShellFunction,
  type Statement,
  type SyntaxNode,
} from "unbash";
import type { Deed, See } from "../act.ts";
import { gap, nothing, outOf, textValue, type Value } from "../value.ts";
import { isBomb } from "./bomb.ts";
import { programRuns } from "./programs.ts";
import { redirected } from "./redirects.ts";
import { isHidden, type Scope, wordValues } from "./words.ts";

const mostCommands = 5_000;
const deepest = 5;

export function readShell(code: string, see: See): void {
  const script = parse(code);
  const lineOf = lineFinder(code);
  let left = mostCommands;
  let depth = 0;

  for (const { message, pos } of script.errors ?? [])
    see({ type: "unreadable", why: message, unfinished: false, line: lineOf(pos) });

  /** Where `cd` has led; a part of the script that has its own folder leaves this one as it was. */
  let folder: string | undefined;
  const apart = (node: { pos: number }, run: () => Value): Value => {
    const before = folder;
    const printed = run();
    if (folder !== before) acting(node)({ type: "folder", path: before });
    folder = before;
    return printed;
  };

  const acting = (node: { pos: number }) => (deed: Deed) => see({ ...deed, line: lineOf(node.pos) });

  /** What the statements print, together. */
  const list = (statements: readonly Statement[], scope: Scope, input: Value, shown: boolean): Value => {
    const printed = statements.map(({ command, background }) =>
      anything(command, { ...scope, background: background === true }, input, shown),
    );
    return printed.length === 1 ? printed[0]! : outOf(...printed);
  };

  const all = (parts: readonly (CompoundList | undefined)[], scope: Scope, input: Value, shown: boolean): Value =>
    outOf(...parts.map((part) => part && list(part.commands, scope, input, shown)));

  const anything = (node: SyntaxNode, scope: Scope, input: Value, shown: boolean): Value => {
    if (--left < 0) return nothing;
    switch (node.type) {
      case "AndOr":
        return outOf(...node.commands.map((each) => anything(each, scope, input, shown)));
      case "Pipeline":
        return pipeline(node, scope, input, shown);
      case "Command":
        return command(node, scope, input, shown);
      case "Redirected": {
        const flow = redirected(node.redirects, input, scope, acting(node));
        return anything(node.command, scope, flow.input, shown && !flow.quiet);
      }
      case "Function":
        return define(node, scope);
      case "For":
      case "Select": {
        const items = node.wordlist?.flatMap((word) => wordValues(word, scope)) ?? [nothing];
        const printed = items.map((item) => {
          scope.variables.set(node.name.value, item);
          return list(node.body.commands, scope, input, shown);
        });
        return outOf(...printed);
      }
      case "If":
        return all(
          [node.clause, node.then, ...node.elif.flatMap(({ clause, then }) => [clause, then]), node.else],
          scope,
          input,
          shown,
        );
      case "While":
        list(node.clause.commands, scope, input, false);
        return list(node.body.commands, scope, input, shown);
      case "Case":
        scope.swept(node.word, scope);
        return all(
          node.items.map(({ body }) => body),
          scope,
          input,
          shown,
        );
      case "Subshell": {
        const inner = { ...scope, variables: new Map(scope.variables) };
        return apart(node, () => list(node.body.commands, inner, input, shown));
      }
      case "BraceGroup":
      case "ArithmeticFor":
        return list(node.body.commands, scope, input, shown);
      case "CompoundList":
        return list(node.commands, scope, input, shown);
      case "Coproc":
        return anything(node.body, scope, input, shown);
      default:
        scope.swept(node, scope);
        return nothing;
    }
  };

  const swept = (node: SyntaxNode, scope: Scope): void => {
    const script = "script" in node ? node.script : undefined;
    if (script) substituted(script.commands, scope);
    else forEachChild(node, (child) => swept(child, scope));
  };

  const pipeline = (
    { commands, pos }: Extract<SyntaxNode, { type: "Pipeline" }>,
    scope: Scope,
    input: Value,
    shown: boolean,
  ): Value => {
    const names = commands.map((each) => (each.type === "Command" ? (each.name?.value.split("/").at(-1) ?? "") : ""));
    // cat pipe | sh -i | nc host port > pipe
    if (
      names.some((name) => /^(ba|z|da|)sh$/.test(name)) &&
      names.some((name) => /^(nc|ncat|netcat|telnet)$/.test(name))
    )
      acting({ pos })({ type: "remote-shell", host: undefined });
    const last = commands.length - 1;
    return commands.reduce(
      (flowing, each, index) => apart({ pos }, () => anything(each, scope, flowing, shown && index === last)),
      input,
    );
  };

  const command = (node: Command, scope: Scope, input: Value, shown: boolean): Value => {
    const act = acting(node);
    for (const part of node.prefix) if (part.type === "Assignment") assign(part, scope, act, !node.name);
    const [first, ...more] = node.name ? wordValues(node.name, scope) : [];
    const given = node.args.flatMap((each) => {
      if (each.type === "Word") return wordValues(each, scope);
      // `export NAME=value`
      const value = assign(each, scope, act, true);
      return [{ ...value, text: `${each.name}=${value.text ?? gap}` }];
    });
    const values = [...more, ...given];
    const name = first?.text;
    const flow = redirected(node.redirects, input, scope, act, name);
    if (first === undefined) return nothing;
    builtin(name, values, flow.input, scope, act);
    if (isHidden(node.name!.text, first)) act({ type: "hidden-name", name: name! });
    const own = name === undefined ? undefined : scope.functions.get(name);
    if (own) return enter(own, values, scope, flow.input, shown && !flow.quiet);
    const { background, files } = scope;
    const printed = programRuns({ name, values, input: flow.input, background, files }, act);
    for (const path of flow.into) files.set(path, printed);
    if (shown && !flow.quiet) act({ type: "show", what: printed });
    return printed;
  };

  /** What the shell does itself, with its own state. */
  const builtin = (
    name: string | undefined,
    values: readonly Value[],
    input: Value,
    { variables }: Scope,
    act: (deed: Deed) => void,
  ): void => {
    const [first, ...more] = values;
    if (name === "cd" || name === "pushd") {
      folder = first?.text ?? "~";
      act({ type: "folder", path: folder });
    }
    if (name === "read" || name === "mapfile" || name === "readarray")
      for (const { text = "" } of values) variables.set(text, { text: gap, from: input.from });
    if (name === "set" && first?.text === "--") places(more, variables);
    const alias = name === "alias" ? /^[\w.-]+=(.*)$/s.exec(first?.text ?? "")?.[1] : undefined;
    const later = name === "trap" ? first?.text : alias;
    if (later) act({ type: "block", language: "shell", code: later });
  };

  const assign = (
    { name, value: written }: Assignment,
    scope: Scope,
    act: (deed: Deed) => void,
    stays: boolean,
  ): Value => {
    const value =
      written.type === "Word"
        ? (wordValues(written, scope)[0] ?? textValue(""))
        : outOf(...written.elements.flatMap((each) => wordValues(each, scope)));
    if (stays) scope.variables.set(name, value);
    act({ type: "variable", name, value });
    return value;
  };

  const define = (node: ShellFunction, scope: Scope): Value => {
    if (isBomb(node)) acting(node)({ type: "bomb" });
    else {
      scope.functions.set(node.name.value, node);
      apart(node, () => enter(node, [], scope, nothing, false));
    }
    return nothing;
  };

  const enter = (node: ShellFunction, values: readonly Value[], scope: Scope, input: Value, shown: boolean): Value => {
    if (depth >= deepest) return outOf(...values);
    depth += 1;
    const variables = new Map(scope.variables);
    places(values, variables);
    const printed = anything(node.body, { ...scope, variables }, input, shown);
    depth -= 1;
    return printed;
  };

  const substituted = (commands: readonly Statement[], scope: Scope): Value => {
    if (depth >= deepest) return textValue(gap);
    depth += 1;
    const inner = { ...scope, variables: new Map(scope.variables) };
    const printed = apart(commands[0] ?? { pos: 0 }, () => list(commands, inner, nothing, false));
    depth -= 1;
    return { text: gap, ...printed };
  };

  const scope: Scope = {
    variables: new Map(),
    functions: new Map(),
    files: new Map(),
    background: false,
    substituted,
    swept,
  };
  list(script.commands, scope, nothing, true);
  if (left <= 0) see({ type: "unreadable", why: "it has too many commands", unfinished: true, line: 1 });
}

/** `$1`, `$2`, … and `$@`, which is the first of them for our purposes. */
function places(values: readonly Value[], variables: Map<string, Value>): void {
  for (const [index, value] of values.entries()) variables.set(String(index + 1), value);
  if (values.length > 0) for (const every of ["@", "*"]) variables.set(every, values[0]!);
}

function lineFinder(code: string): (position: number) => number {
  const starts = [0];
  for (let at = code.indexOf("\n"); at !== -1; at = code.indexOf("\n", at + 1)) starts.push(at + 1);
  return (position) => {
    const after = starts.findIndex((start) => start > position);
    return after === -1 ? starts.length : after;
  };
}
