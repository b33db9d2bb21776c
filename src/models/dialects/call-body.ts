// Reads the calls out of what stands between a model family's tags: JSON, elements, names with their arguments behind
// them, Python calls, or what is left of any of these.

import { isRunner, languageInName } from "./call-name.ts";
import { parseValues } from "./json-values.ts";
import { callsIn, type LooseCall, readLooseCall, withName } from "./loose-call.ts";
import { readPythonCalls } from "./python-call.ts";

/** The calls that mean running code; none when the text is something else. */
export function readCalls(body: string, languages: readonly string[]): LooseCall[] {
  const text = withoutTags(withoutFence(withoutTags(body.trim())));
  const found = fromElements(text) ?? fromSections(text, languages) ?? fromPlain(text);
  return found.filter((call) => isMeant(call, languages));
}

/** A call says which tool it means, or else which language. */
const isMeant = ({ name, language }: LooseCall, languages: readonly string[]): boolean =>
  language !== undefined || (name !== undefined && isRunner(name, languages));

/** Tags inside tags are only a stammer. */
const withoutTags = (text: string): string =>
  text.replace(/^(?:<(?:tool|function)_call>\s*)+/, "").replace(/(?:\s*<\/(?:tool|function)_call>)+$/, "");

/** The inside of a text that is one fenced block. */
export function withoutFence(text: string): string {
  const opener = /^(`{3,})[\w-]*[ \t]*\r?\n/.exec(text);
  if (!opener) return text;
  const inside = text.slice(opener[0].length);
  const end = inside.lastIndexOf(opener[1]!);
  return end >= 0 && inside.slice(end + opener[1]!.length).trim() === "" ? inside.slice(0, end).trim() : inside.trim();
}

function fromPlain(text: string): LooseCall[] {
  const python = readPythonCalls(text)?.flatMap(fromPython);
  if (python) return python;
  const values = parseValues(text);
  if (values) return callsIn(values);
  const loose = readLooseCall(text);
  return loose ? [withName(loose, /^(?:[\w$]+\.)*execute\s*\(/.test(text) ? "execute" : undefined)] : [];
}

function fromPython({ name, values }: { name: string; values: Record<string, string> }): LooseCall[] {
  const bare = name.split(".").at(-1)!;
  if (values["0"] === undefined) return callsIn({ name: bare, arguments: values });
  const { "0": first, "1": second, ...named } = values;
  const placed = second === undefined ? { code: first } : { language: first, code: second };
  return callsIn({ name: bare, arguments: { ...placed, ...named } });
}

// Elements: <function=execute><parameter=code>…, <invoke name="execute">…, execute<arg_key>code</arg_key>…

const prefixes = /<(\/?)(?:｜DSML｜|[a-z]+:)(?=(?:invoke|parameter|function|tool)\b)/g;
const functionElement =
  /<(?:function=["']?([\w.:-]+)["']?|invoke\s+name=["']?([\w.:-]+)["']?)[^>]*>([\s\S]*?)(?:<\/(?:function|invoke)>|(?=<(?:function=|invoke\s))|$)/g;
const parameterElement =
  /<parameter(?:=|\s+name=)["']?([\w-]+)["']?[^>]*>([\s\S]*?)(?:<\/parameter>|(?=<parameter[=\s])|$)/g;
const argumentPair = /<arg_key>\s*([\w-]+)\s*<\/arg_key>\s*<arg_value>([\s\S]*?)(?:<\/arg_value>|$)/g;

function fromElements(text: string): LooseCall[] | undefined {
  if (!/<(?:function=|parameter|arg_key|.{0,12}invoke)/.test(text)) return undefined;
  const plain = text.replace(prefixes, "<$1");
  const functions = [...plain.matchAll(functionElement)];
  if (functions.length === 0) return fromParameters(plain, /^\s*([\w.:-]+)\s*</.exec(plain)?.[1]);
  return functions.flatMap(([, name, invoked, body]) => fromParameters(body!, name ?? invoked));
}

function fromParameters(body: string, name: string | undefined): LooseCall[] {
  const pairs = [...body.matchAll(parameterElement), ...body.matchAll(argumentPair)];
  if (pairs.length === 0) return fromPlain(body.trim()).map((call) => withName(call, name));
  const values = Object.fromEntries(pairs.map(([, key, value]) => [key, value!.replace(/^\r?\n|\r?\n$/g, "")]));
  const language = values.language?.trim();
  return callsIn({ name, arguments: { ...values, ...(language === undefined ? {} : { language }) } });
}

// Sections: a name, a mark, and the arguments: execute[ARGS]{…}, functions.execute:0<|…|>{…}, >>>execute\n{…}

const sectionStarts = /\[TOOL_CALLS\]|<｜tool▁call▁begin｜>|<\|tool_call_begin\|>|<\|tool_call\|>/;
const sectionEnds = /<｜tool▁calls?▁end｜>|<\|tool_call_end\|>|<\|tool_calls_section_end\|>|<\|\/tool_call\|>/g;
const header =
  /^(?:function<｜tool▁sep｜>|>>>|call:)?\s*((?:functions?\.)?[A-Za-z_][\w.-]*?)(?::\d+)?(?:<｜tool▁sep｜>|<\|tool_call_argument_begin\|>|(?:\[CALL_ID\]\w*)?\[ARGS\]|[ \t]*\r?\n|(?=[{[]))\s*([\s\S]*)$/;

function fromSections(text: string, languages: readonly string[]): LooseCall[] | undefined {
  const sections = text.split(sectionStarts).map((section) => section.replace(sectionEnds, "").trim());
  const full = sections.filter((section) => section !== "");
  const found = full.map((section) => fromSection(section, languages));
  if (found.every((calls) => calls === undefined)) return full.length > 1 ? full.flatMap(fromPlain) : undefined;
  return found.flatMap((calls, index) => calls ?? fromPlain(full[index]!));
}

function fromSection(section: string, languages: readonly string[]): LooseCall[] | undefined {
  const [, name, rest] = header.exec(section) ?? [];
  if (name === undefined || !isRunner(name, languages)) return undefined;
  const given = rest!.replace(/^(?:✿ARGS✿|Action Input):\s*/, "");
  const body = withoutFence(given).replace(/<escape>([\s\S]*?)<escape>/g, (_, value: string) => JSON.stringify(value));
  const calls = fromPlain(body).map((call) => withName(call, name));
  if (calls.length > 0) return calls;
  // Under the name of a language the code itself may stand there.
  return languageInName(name, languages) !== undefined && !/^[{[]/.test(body) ? [{ name, code: body }] : [];
}
