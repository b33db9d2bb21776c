// Goes through a script as it would run, as far as that can be told: follows names, puts texts together, and asks the
// language's own table what each call means.

import type { Deed, See } from "../act.ts";
import { isDisguised, joined, nothing, outOf, sourcesOf, type Value } from "../value.ts";
import type { Expression, Step } from "./tree.ts";

/** A call with what is known about its parts. */
export interface Call {
  /** The full name of what is called; `?` where that is not known: `?.execute`. */
  name: string;
  receiver: Value;
  values: readonly Value[];
  named: Readonly<Record<string, Value>>;
  /** In a loop that has no end. */
  endless: boolean;
  act(deed: Deed): void;
  /** Calls a function that was given as a value. */
  follow(target: Value, values: readonly Value[]): Value;
}

/** What a language knows of itself. */
export interface Dialect {
  /** What a name means that the block did not bind. */
  global(name: string): Value;
  /** Whether there is something of that full name. */
  knows(name: string): boolean;
  /** What one of these is of a value, where that is special: a variable of the environment, a module in a table. */
  member(of: Value, name: string): Value | undefined;
  /** What comes of a call. Nothing where only the origin of the value is known. */
  call(call: Call): Value | undefined;
}

interface Made {
  parameters: readonly string[];
  body: readonly Step[];
  scope: Scope;
}

interface Scope {
  names: Map<string, Value>;
  outer?: Scope;
  returned: Value[];
  endless: boolean;
}

const mostSteps = 40_000;
const deepestCall = 4;
const mostRounds = 2_000;

export function evaluate(steps: readonly Step[], dialect: Dialect, see: See): void {
  let left = mostSteps;
  let depth = 0;
  const everything: string[] = [];

  const lookUp = (name: string, scope: Scope | undefined): Value => {
    for (let at = scope; at; at = at.outer) {
      const found = at.names.get(name);
      if (found) return found;
    }
    const module = everything.find((each) => dialect.knows(`${each}.${name}`));
    return dialect.global(module ? `${module}.${name}` : name);
  };

  const run = (body: readonly Step[], scope: Scope): void => {
    for (const step of body) {
      if (--left < 0) return;
      one(step, scope);
    }
  };

  const one = (step: Step, scope: Scope): void => {
    switch (step.type) {
      case "bind":
        scope.names.set(step.name, value(step.value, scope));
        return;
      case "set": {
        const what = value(step.value, scope);
        const target = value(step.target, scope);
        for (const source of target.from)
          if (source.type === "variable") see({ type: "variable", name: source.name, value: what, line: step.line });
        return;
      }
      case "import":
        scope.names.set(step.name, dialect.global(step.what));
        return;
      case "import-all":
        everything.push(step.module);
        return;
      case "do": {
        const what = value(step.value, scope);
        // What comes of a call that nobody knows is not what was given to it.
        if (step.shown && !what.name?.endsWith("()")) see({ type: "show", what, line: step.line });
        return;
      }
      case "function":
        scope.names.set(step.name, { made: { parameters: step.parameters, body: step.body, scope }, from: [] });
        enter({ parameters: step.parameters, body: step.body, scope }, []);
        return;
      case "return":
        scope.returned.push(value(step.value, scope));
        return;
      case "block":
        see({ type: "block", language: step.language, code: step.code, line: step.line });
        return;
      case "loop": {
        const of = step.of ? value(step.of, scope) : nothing;
        const before = scope.endless;
        scope.endless ||= step.endless;
        for (const item of rounds(of)) {
          for (const name of step.names) scope.names.set(name, item);
          run(step.body, scope);
        }
        scope.endless = before;
      }
    }
  };

  /** What stands in a loop for each of these. */
  const rounds = (of: Value): readonly Value[] =>
    of.items && of.items.length > 0 && of.items.length <= mostRounds ? of.items : [outOf(of)];

  /** Goes through a function with what is known of its arguments. */
  const enter = (made: Made, values: readonly Value[], endless = false, named: Call["named"] = {}): Value => {
    if (depth >= deepestCall || left <= 0) return outOf(...values);
    depth += 1;
    const scope: Scope = { names: new Map(), outer: made.scope, returned: [], endless };
    for (const [index, name] of made.parameters.entries())
      scope.names.set(name, values[index] ?? named[name] ?? nothing);
    run(made.body, scope);
    depth -= 1;
    return scope.returned.at(-1) ?? outOf(...values);
  };

  const value = (expression: Expression, scope: Scope): Value => {
    switch (expression.type) {
      case "text":
        if (expression.line) see({ type: "literal", text: expression.text, line: expression.line });
        return { text: expression.text, from: [] };
      case "number":
        return { number: expression.number, from: [] };
      case "name":
        return lookUp(expression.name, scope);
      case "member":
        return memberOf(value(expression.of, scope), expression.name);
      case "item":
        return itemOf(value(expression.of, scope), value(expression.key, scope));
      case "join":
        return joined(expression.parts.map((part) => value(part, scope)));
      case "list":
        return { items: expression.items.map((item) => value(item, scope)), from: [] };
      case "record":
        return { fields: new Map(expression.entries.map(([name, each]) => [name, value(each, scope)])), from: [] };
      case "function":
        // It may be called by whoever it is given to.
        enter({ ...expression, scope }, []);
        return { made: { ...expression, scope } satisfies Made, from: [] };
      case "each": {
        const inner: Scope = { names: new Map(), outer: scope, returned: [], endless: scope.endless };
        const of = value(expression.of, scope);
        const items = rounds(of).map((item) => {
          for (const name of expression.names) inner.names.set(name, item);
          return value(expression.value, inner);
        });
        return of.items ? { items, from: [] } : outOf(...items);
      }
      case "several":
        return outOf(...expression.parts.map((part) => value(part, scope)));
      case "call":
        return called(expression, scope);
    }
  };

  const memberOf = (of: Value, name: string): Value =>
    dialect.member(of, name) ??
    of.fields?.get(name) ?? {
      name: `${of.name ?? "?"}.${name}`,
      from: of.from,
      receiver: of,
      ...(of.hidden && { hidden: true }),
    };

  const itemOf = (of: Value, key: Value): Value => {
    if (key.text === undefined) return (key.number !== undefined && of.items?.at(key.number)) || outOf(of, key);
    const found = memberOf(of, key.text);
    return found.name && isDisguised(key) ? { ...found, hidden: true } : found;
  };

  const called = (expression: Extract<Expression, { type: "call" }>, scope: Scope): Value => {
    left -= 1;
    const of = value(expression.of, scope);
    const values = expression.arguments.map((each) => value(each, scope));
    const named = Object.fromEntries(Object.entries(expression.named).map(([key, each]) => [key, value(each, scope)]));
    const { line } = expression;
    const follow = (target: Value, given: readonly Value[]): Value =>
      target.made
        ? enter(target.made as Made, given, scope.endless)
        : go({ ...call, name: target.name ?? "?", receiver: target.receiver ?? nothing, values: given, named: {} });
    const call: Call = {
      name: of.name ?? "?",
      receiver: of.receiver ?? nothing,
      values,
      named,
      endless: scope.endless,
      act: (deed) => see({ ...deed, line }),
      follow,
    };
    const go = (each: Call): Value =>
      dialect.call(each) ?? {
        name: `${each.name}()`,
        from: sourcesOf(each.receiver, ...each.values, ...Object.values(each.named)),
        receiver: each.receiver,
      };
    if (of.made) return enter(of.made as Made, values, scope.endless, named);
    if (of.hidden && of.name && !of.name.startsWith("?")) see({ type: "hidden-name", name: of.name, line });
    return go(call);
  };

  run(steps, { names: new Map(), returned: [], endless: false });
  if (left <= 0) see({ type: "unreadable", why: "it has too many steps", unfinished: true, line: 1 });
}
