// A word of the shell as what it stands for: quotes taken off, variables put in, substitutions followed.

import type { Function as ShellFunction, Statement, SyntaxNode, Word, WordPart } from "unbash";
import { gap, isDisguised, joined, outOf, type Source, textValue, type Value } from "../value.ts";

export interface Scope {
  variables: Map<string, Value>;
  functions: Map<string, ShellFunction>;
  /** What files hold that commands have written. */
  files: Map<string, Value>;
  background: boolean;
  /** What a substitution prints. */
  substituted(commands: readonly Statement[], scope: Scope): Value;
  /** Follows the substitutions in a part of which only they matter. */
  swept(node: SyntaxNode, scope: Scope): void;
}

/** One word may become several: at the spaces of an unquoted variable, and for each alternative in braces. */
export function wordValues(word: Word, scope: Scope): Value[] {
  const { parts } = word;
  if (!parts) return [textValue(quotedHome(word.text, word.value))];
  return alternatives(parts).flatMap((chosen) => {
    const values = chosen.map((part) => partValue(part, scope));
    const whole: Value = values.length === 1 ? values[0]! : { ...joined(values), from: outOf(...values).from };
    if (whole.text === undefined) return [whole];
    const splits = chosen.some((part, index) => isVariable(part) && /\s/.test(separated(values[index]!.text, scope)));
    if (!splits) return [{ ...whole, text: quotedHome(word.text, whole.text) }];
    const texts = separated(whole.text, scope).trim().split(/\s+/);
    return texts.map((text) => ({ text, from: whole.from }));
  });
}

/** With spaces in the place of what separates words here. */
function separated(text: string | undefined, { variables }: Scope): string {
  const own = variables.get("IFS")?.text?.replace(/[\s\ufffc]/g, "") ?? "";
  return [...own].reduce((at, separator) => at.replaceAll(separator, " "), text ?? "");
}

/** `{rm,-rf,/}`, `/{etc,home}`: each of them; braces inside braces stay as they are. */
function alternatives(parts: readonly WordPart[]): (readonly WordPart[])[] {
  const at = parts.findIndex(({ type }) => type === "BraceExpansion");
  const inside = at === -1 ? undefined : /^\{([^{}]*,[^{}]*)\}$/.exec(parts[at]!.text)?.[1];
  if (inside === undefined) return [parts];
  return inside.split(",").map((value) => {
    const literal = { type: "Literal", value, text: value, pos: parts[at]!.pos, end: parts[at]!.end } as const;
    return [...parts.slice(0, at), literal, ...parts.slice(at + 1)];
  });
}

/** `"~"` is a file of that name. */
const quotedHome = (written: string, text: string): string => (/^["']~/.test(written) ? `./${text}` : text);

const isVariable = (part: WordPart): boolean => part.type === "SimpleExpansion" || part.type === "ParameterExpansion";

function partValue(part: WordPart, scope: Scope): Value {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      return textValue(part.value);
    case "AnsiCQuoted":
      return { text: part.value, from: /\\(x|[0-7]|u)/i.test(part.text) ? [{ type: "decoded" }] : [] };
    case "DoubleQuoted":
    case "LocaleString": {
      const values = part.parts.map((each) => partValue(each, scope));
      return { ...joined(values), from: outOf(...values).from };
    }
    case "SimpleExpansion":
      return variableValue(part.text.slice(1), scope);
    case "ParameterExpansion": {
      if (part.operation && part.operation.type !== "Default") scope.swept(part, scope);
      if (part.prefix || part.index) return { text: gap, from: outOf(scope.variables.get(part.parameter)).from };
      const value = variableValue(part.parameter, scope);
      if (!part.operation) return value;
      if (part.operation.type !== "Default") return { text: gap, from: value.from };
      return value.text === gap || value.text === "" ? (wordValues(part.operation.operand, scope)[0] ?? value) : value;
    }
    case "CommandExpansion":
      return part.script ? scope.substituted(part.script.commands, scope) : textValue(gap);
    case "ProcessSubstitution":
      return { text: gap, from: part.script ? scope.substituted(part.script.commands, scope).from : [] };
    case "Glob":
    case "ExtendedGlob":
      return { text: part.text, from: [{ type: "listing" }] };
    case "BraceExpansion":
      return textValue(part.text);
    default:
      scope.swept(part, scope);
      return textValue(gap);
  }
}

const folders: Readonly<Record<string, string>> = { HOME: "~", PWD: ".", TMPDIR: "/tmp", IFS: " " };

function variableValue(name: string, { variables }: Scope): Value {
  const own = variables.get(name);
  if (own) return own;
  const from: Source[] = [{ type: "variable", name }];
  return { text: folders[name] ?? gap, from: name in folders ? [] : from };
}

/** `r""m`, `$'\x72\x6d'`, `r\m`: written so that the command's name is not seen. */
export function isHidden(written: string, { text, from }: Value): boolean {
  if (text === undefined || !/^[\w./-]+$/.test(text)) return false;
  const plain = written.replace(/^(["'])(.*)\1$/s, "$2").replace(/^\\(?=\w)/, "");
  return isDisguised({ from }) || (plain !== text && !/[$~`]/.test(plain));
}
