// A JSON Schema as it is understood here: the part of 2020-12 that says what a value looks like. What is not understood is
// refused before anything else happens, because a rule that is passed over in silence is worse than none.

import { InputProblem } from "../../settings/index.ts";

export type Schema = boolean | { readonly [keyword: string]: unknown };

/** How the value of a keyword must look: a schema, schemas in a list or by name, or something plain. */
type Shape = "schema" | "list" | "map" | "number" | "count" | "text" | "pattern" | "texts" | "boolean" | "any" | "type";

const keywords: Record<string, Shape> = {
  type: "type",
  enum: "any",
  const: "any",
  properties: "map",
  patternProperties: "map",
  additionalProperties: "schema",
  propertyNames: "schema",
  required: "texts",
  dependentRequired: "any",
  dependentSchemas: "map",
  minProperties: "count",
  maxProperties: "count",
  items: "schema",
  prefixItems: "list",
  contains: "schema",
  minContains: "count",
  maxContains: "count",
  minItems: "count",
  maxItems: "count",
  uniqueItems: "boolean",
  minimum: "number",
  maximum: "number",
  exclusiveMinimum: "number",
  exclusiveMaximum: "number",
  multipleOf: "number",
  minLength: "count",
  maxLength: "count",
  pattern: "pattern",
  format: "text",
  anyOf: "list",
  oneOf: "list",
  allOf: "list",
  not: "schema",
  if: "schema",
  // biome-ignore lint/suspicious/noThenProperty: that is what JSON Schema calls it
  then: "schema",
  else: "schema",
  $ref: "text",
  $defs: "map",
  definitions: "map",
  // Words for people, which ask nothing of a value.
  $schema: "text",
  $id: "text",
  $comment: "any",
  title: "any",
  description: "any",
  default: "any",
  examples: "any",
  deprecated: "any",
  readOnly: "any",
  writeOnly: "any",
};

const types = ["null", "boolean", "object", "array", "number", "integer", "string"];

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Throws InputProblem, with the place and the reason, when it is not one that can be followed here. */
export function checkSchema(value: unknown): Schema {
  check(value, "#", value);
  return value as Schema;
}

function check(value: unknown, place: string, root: unknown): void {
  if (typeof value === "boolean") return;
  if (!isMap(value)) throw wrong(place, "a schema is an object, true or false");
  for (const [keyword, given] of Object.entries(value))
    checkKeyword(keyword, given, `${place}/${escapeName(keyword)}`, root);
}

function checkKeyword(keyword: string, given: unknown, place: string, root: unknown): void {
  const shape = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined;
  if (!shape) throw wrong(place, `the keyword ${JSON.stringify(keyword)} is not understood`);
  if (keyword === "items" && Array.isArray(given)) throw wrong(place, 'a list of schemas is called "prefixItems"');
  if (keyword === "$id" && place !== "#/$id") throw wrong(place, "only the whole schema may have an $id");
  if (keyword === "enum" && !Array.isArray(given)) throw wrong(place, "it must be a list");
  if (keyword === "$ref") resolveRef(String(given), root, place);
  if (shape === "schema") check(given, place, root);
  else if (shape === "list") {
    if (!Array.isArray(given) || given.length === 0) throw wrong(place, "it must be a list of schemas");
    for (const [index, each] of given.entries()) check(each, `${place}/${index}`, root);
  } else if (shape === "map") {
    if (!isMap(given)) throw wrong(place, "it must be an object of schemas");
    for (const [name, each] of Object.entries(given)) check(each, `${place}/${escapeName(name)}`, root);
    if (keyword === "patternProperties") for (const name of Object.keys(given)) patternOf(name, place);
  } else if (!isPlain(shape, given, place)) throw wrong(place, `it cannot be ${JSON.stringify(given)}`);
}

function isPlain(shape: Shape, given: unknown, place: string): boolean {
  switch (shape) {
    case "number":
      return typeof given === "number" && (!place.endsWith("/multipleOf") || given > 0);
    case "count":
      return Number.isInteger(given) && (given as number) >= 0;
    case "text":
      return typeof given === "string";
    case "pattern":
      return typeof given === "string" && patternOf(given, place) !== undefined;
    case "texts":
      return Array.isArray(given) && given.every((each) => typeof each === "string");
    case "boolean":
      return typeof given === "boolean";
    case "type": {
      const named = Array.isArray(given) ? given : [given];
      return named.length > 0 && named.every((each) => types.includes(each));
    }
    default:
      return true;
  }
}

export function patternOf(pattern: string, place = "#"): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    throw wrong(place, `${JSON.stringify(pattern)} is not a regular expression`);
  }
}

/** The schema that a reference means: always one in the same file. */
export function resolveRef(ref: string, root: unknown, place = "#"): Schema {
  if (!/^#($|\/)/.test(ref)) throw wrong(place, `${JSON.stringify(ref)} does not lead to a place in the same file`);
  let found: unknown = root;
  for (const step of decodeURIComponent(ref).split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    found =
      typeof found === "object" && found !== null && Object.hasOwn(found, name) ? (found as never)[name] : undefined;
  }
  if (typeof found !== "boolean" && !isMap(found)) throw wrong(place, `${JSON.stringify(ref)} leads nowhere`);
  return found;
}

export const escapeName = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

const wrong = (place: string, why: string): InputProblem =>
  new InputProblem(
    `The schema cannot be followed at ${place}: ${why}.`,
    "See docs/automation.md for what is understood.",
  );
