// Holds a value against a schema and says what does not fit, and where.

import { formats } from "./formats.ts";
import { escapeName, patternOf, resolveRef, type Schema } from "./schema.ts";

export interface Misfit {
  /** A JSON pointer to the place in the value; empty for the whole. */
  path: string;
  /** Goes on after the path: `must be a number, not text`. */
  problem: string;
}

/** Nothing when the value follows the schema. */
export function misfits(schema: Schema, value: unknown): Misfit[] {
  return check(value, schema, { root: schema, path: "", depth: 0 });
}

/** A misfit as a line. */
export const tellMisfit = ({ path, problem }: Misfit): string => `${path || "The answer"} ${problem}`;

interface Place {
  root: Schema;
  path: string;
  depth: number;
}

type Keywords = Readonly<Record<string, never>>;

const deepest = 1_000;

function check(value: unknown, schema: Schema, place: Place): Misfit[] {
  const wrong = (problem: string): Misfit[] => [{ path: place.path, problem }];
  if (schema === true) return [];
  if (schema === false) return wrong("must not be there");
  if (place.depth > deepest) return wrong("cannot be checked: the schema goes round in circles there");
  const at = { ...place, depth: place.depth + 1 };
  const rules = schema as Keywords;
  const found: Misfit[] = [];
  if (rules.$ref !== undefined) found.push(...check(value, resolveRef(rules.$ref, place.root), at));
  const type = rules.type as string | string[] | undefined;
  if (type !== undefined && ![type].flat().some((each) => isOfType(value, each)))
    return [...found, ...wrong(`must be ${[type].flat().map(nameOfType).join(" or ")}, not ${kindOf(value)}`)];
  if (rules.enum !== undefined && !(rules.enum as unknown[]).some((each) => same(each, value)))
    found.push(...wrong(`must be one of ${(rules.enum as unknown[]).map((each) => JSON.stringify(each)).join(", ")}`));
  if (Object.hasOwn(rules, "const") && !same(rules.const, value))
    found.push(...wrong(`must be ${JSON.stringify(rules.const)}`));
  if (typeof value === "number") found.push(...checkNumber(value, rules).flatMap(wrong));
  else if (typeof value === "string") found.push(...checkText(value, rules).flatMap(wrong));
  else if (Array.isArray(value)) found.push(...checkList(value, rules, at));
  else if (isMap(value)) found.push(...checkMap(value, rules, at));
  return [...found, ...checkForms(value, rules, at)];
}

function checkNumber(value: number, rules: Keywords): string[] {
  const problems: string[] = [];
  if (rules.minimum !== undefined && value < rules.minimum) problems.push(`must be at least ${rules.minimum}`);
  if (rules.maximum !== undefined && value > rules.maximum) problems.push(`must be at most ${rules.maximum}`);
  if (rules.exclusiveMinimum !== undefined && value <= rules.exclusiveMinimum)
    problems.push(`must be more than ${rules.exclusiveMinimum}`);
  if (rules.exclusiveMaximum !== undefined && value >= rules.exclusiveMaximum)
    problems.push(`must be less than ${rules.exclusiveMaximum}`);
  if (rules.multipleOf !== undefined) {
    const times = value / rules.multipleOf;
    if (Math.abs(times - Math.round(times)) > 1e-9 * Math.max(1, Math.abs(times)))
      problems.push(`must be a multiple of ${rules.multipleOf}`);
  }
  return problems;
}

function checkText(value: string, rules: Keywords): string[] {
  const problems: string[] = [];
  const length = [...value].length;
  if (rules.minLength !== undefined && length < rules.minLength)
    problems.push(`must have at least ${rules.minLength} characters`);
  if (rules.maxLength !== undefined && length > rules.maxLength)
    problems.push(`must have at most ${rules.maxLength} characters`);
  if (rules.pattern !== undefined && !patternOf(rules.pattern).test(value))
    problems.push(`must match ${rules.pattern}`);
  const isFormat = rules.format === undefined ? undefined : formats[rules.format];
  if (isFormat && !isFormat(value)) problems.push(`must be a ${rules.format}, not ${short(value)}`);
  return problems;
}

function checkList(value: unknown[], rules: Keywords, place: Place): Misfit[] {
  const found: Misfit[] = [];
  const wrong = (problem: string) => void found.push({ path: place.path, problem });
  const item = (index: number, schema: Schema) =>
    check(value[index], schema, { ...place, path: `${place.path}/${index}` });
  if (rules.minItems !== undefined && value.length < rules.minItems)
    wrong(`must have at least ${rules.minItems} items`);
  if (rules.maxItems !== undefined && value.length > rules.maxItems) wrong(`must have at most ${rules.maxItems} items`);
  if (rules.uniqueItems && value.some((each, index) => value.slice(0, index).some((other) => same(each, other))))
    wrong("must not have the same item twice");
  const first = (rules.prefixItems as Schema[] | undefined) ?? [];
  for (let index = 0; index < value.length; index++) {
    const schema = first[index] ?? (rules.items as Schema | undefined);
    if (schema !== undefined) found.push(...item(index, schema));
  }
  const contained = rules.contains as Schema | undefined;
  if (contained !== undefined) {
    const count = value.filter((_, index) => item(index, contained).length === 0).length;
    const least = rules.minContains ?? 1;
    if (count < least) wrong(`must contain at least ${least} items of the kind that is asked for, not ${count}`);
    if (rules.maxContains !== undefined && count > rules.maxContains)
      wrong(`must contain at most ${rules.maxContains} items of the kind that is asked for, not ${count}`);
  }
  return found;
}

function checkMap(value: Record<string, unknown>, rules: Keywords, place: Place): Misfit[] {
  const found: Misfit[] = [];
  const names = Object.keys(value);
  const inside = (name: string): Place => ({ ...place, path: `${place.path}/${escapeName(name)}` });
  const wrong = (problem: string) => void found.push({ path: place.path, problem });
  const missing = (wanted: readonly string[]) => {
    for (const name of wanted) if (!Object.hasOwn(value, name)) wrong(`lacks ${JSON.stringify(name)}`);
  };
  missing((rules.required as string[] | undefined) ?? []);
  if (rules.minProperties !== undefined && names.length < rules.minProperties)
    wrong(`must have at least ${rules.minProperties} properties`);
  if (rules.maxProperties !== undefined && names.length > rules.maxProperties)
    wrong(`must have at most ${rules.maxProperties} properties`);
  const properties = (rules.properties ?? {}) as Record<string, Schema>;
  const patterns = Object.entries((rules.patternProperties ?? {}) as Record<string, Schema>);
  for (const name of names) {
    const own = Object.hasOwn(properties, name) ? [properties[name]!] : [];
    const schemas = [...own, ...patterns.filter(([pattern]) => patternOf(pattern).test(name)).map(([, each]) => each)];
    for (const schema of schemas) found.push(...check(value[name], schema, inside(name)));
    const others = rules.additionalProperties as Schema | undefined;
    if (schemas.length === 0 && others !== undefined) found.push(...check(value[name], others, inside(name)));
    if (rules.propertyNames !== undefined && check(name, rules.propertyNames as Schema, place).length > 0)
      wrong(`has a property with a name that is not allowed: ${JSON.stringify(name)}`);
    const needs = (rules.dependentRequired as Record<string, string[]> | undefined)?.[name];
    if (needs) missing(needs);
    const dependent = (rules.dependentSchemas as Record<string, Schema> | undefined)?.[name];
    if (dependent !== undefined) found.push(...check(value, dependent, place));
  }
  return found;
}

/** What is put together from other schemas. */
function checkForms(value: unknown, rules: Keywords, place: Place): Misfit[] {
  const found: Misfit[] = [];
  const wrong = (problem: string) => void found.push({ path: place.path, problem });
  const against = (schema: Schema) => check(value, schema, place);
  for (const schema of (rules.allOf as Schema[] | undefined) ?? []) found.push(...against(schema));
  for (const keyword of ["anyOf", "oneOf"]) {
    const forms = rules[keyword] as Schema[] | undefined;
    if (!forms) continue;
    const results = forms.map(against);
    const fitting = results.filter((result) => result.length === 0).length;
    // What the nearest of them lacks says more than that none fits.
    if (fitting === 0) found.push(...results.toSorted((a, b) => a.length - b.length)[0]!);
    else if (keyword === "oneOf" && fitting > 1) wrong(`fits ${fitting} of the forms of which it may fit only one`);
  }
  if (rules.not !== undefined && against(rules.not).length === 0) wrong("has a form that is ruled out");
  if (rules.if !== undefined) {
    const next = against(rules.if).length === 0 ? rules.then : rules.else;
    if (next !== undefined) found.push(...against(next));
  }
  return found;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isOfType(value: unknown, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "object") return isMap(value);
  if (type === "array") return Array.isArray(value);
  return type === "null" ? value === null : typeof value === type;
}

const typeNames: Record<string, string> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  object: "an object",
  array: "a list",
  boolean: "true or false",
  null: "null",
};
const nameOfType = (type: string): string => typeNames[type] ?? type;

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return short(value);
}

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Equal as JSON is: the order of names does not count. */
function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, index) => same(each, b[index]));
  if (!isMap(a) || !isMap(b)) return a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]))
  );
}
