// JSON Schema: what fits, what does not and where, and what is refused because it is not understood.

import { describe, expect, test } from "vitest";
import { checkSchema } from "../../src/interpreter/schema/schema.ts";
import { misfits, tellMisfit } from "../../src/interpreter/schema/validate.ts";

const wrong = (schema: unknown, value: unknown): string[] => misfits(checkSchema(schema), value).map(tellMisfit);

const tree = {
  $ref: "#/$defs/node",
  $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } }, additionalProperties: false } },
};

describe("what fits", () => {
  test.each([
    [true, { anything: 1 }],
    [{}, null],
    [{ type: "integer" }, 3.0],
    [{ type: ["string", "null"] }, null],
    [{ enum: [1, { a: [2] }] }, { a: [2] }],
    [{ const: { a: 1, b: 2 } }, { b: 2, a: 1 }],
    [{ multipleOf: 0.1 }, 0.3],
    [{ minLength: 1, maxLength: 1 }, "🙂"],
    [{ pattern: "^\\p{L}+$" }, "Ärger"],
    [{ prefixItems: [{ type: "number" }], items: { type: "string" } }, [1, "a", "b"]],
    [
      { properties: { a: { type: "number" } }, additionalProperties: { type: "string" } },
      { a: 1, b: "x" },
    ],
    [{ patternProperties: { "^n": { type: "number" } }, additionalProperties: false }, { n1: 1 }],
    [tree, { next: { next: {} } }],
    [
      // biome-ignore lint/suspicious/noThenProperty: that is what JSON Schema calls it
      { if: { properties: { kind: { const: "a" } } }, then: { required: ["x"] }, else: { required: ["y"] } },
      { kind: "b", y: 1 },
    ],
    [{ oneOf: [{ type: "number" }, { type: "string" }] }, "x"],
    [{ contains: { const: 1 }, maxContains: 1 }, [2, 1]],
    [{ format: "date-time" }, "2024-02-29T12:00:00Z"],
    [{ format: "something-new" }, "whatever"],
    [{ dependentRequired: { a: ["b"] } }, { b: 1 }],
  ])("%j: %j", (schema, value) => expect(wrong(schema, value)).toEqual([]));
});

describe("what does not", () => {
  test.each([
    [{ type: "number" }, "12", 'The answer must be a number, not "12"'],
    [{ type: "integer" }, 1.5, "The answer must be a whole number, not 1.5"],
    [{ type: ["string", "null"] }, [], "The answer must be text or null, not a list"],
    [{ properties: { a: { items: { type: "number" } } } }, { a: [1, null] }, "/a/1 must be a number, not null"],
    [{ properties: { "a/b": { const: 1 } } }, { "a/b": 2 }, "/a~1b must be 1"],
    [{ required: ["total"] }, {}, 'The answer lacks "total"'],
    [{ additionalProperties: false }, { x: 1 }, "/x must not be there"],
    [{ enum: ["a", "b"] }, "c", 'The answer must be one of "a", "b"'],
    [{ minimum: 1 }, 0, "The answer must be at least 1"],
    [{ exclusiveMaximum: 1 }, 1, "The answer must be less than 1"],
    [{ multipleOf: 5 }, 7, "The answer must be a multiple of 5"],
    [{ maxLength: 2 }, "abc", "The answer must have at most 2 characters"],
    [{ pattern: "^a" }, "b", "The answer must match ^a"],
    [{ format: "date" }, "2024-02-30", 'The answer must be a date, not "2024-02-30"'],
    [{ minItems: 1 }, [], "The answer must have at least 1 items"],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      "The answer must not have the same item twice",
    ],
    [
      {
        anyOf: [
          { type: "object", required: ["a", "b"] },
          { type: "object", required: ["a"] },
        ],
      },
      {},
      'The answer lacks "a"',
    ],
    [{ oneOf: [{ type: "number" }, { minimum: 1 }] }, 2, "The answer fits 2 of the forms of which it may fit only one"],
    [{ not: { type: "string" } }, "x", "The answer has a form that is ruled out"],
    [{ contains: { const: 1 } }, [2], "The answer must contain at least 1 items of the kind that is asked for, not 0"],
    [
      { propertyNames: { pattern: "^[a-z]+$" } },
      { A: 1 },
      'The answer has a property with a name that is not allowed: "A"',
    ],
    // biome-ignore lint/suspicious/noThenProperty: that is what JSON Schema calls it
    [{ if: { const: 1 }, then: false }, 1, "The answer must not be there"],
    [tree, { next: { other: 1 } }, "/next/other must not be there"],
    [{ properties: { toString: { type: "number" } }, required: ["toString"] }, {}, 'The answer lacks "toString"'],
  ])("%j: %j", (schema, value, expected) => expect(wrong(schema, value)).toEqual([expected]));

  test("a schema that goes round in circles ends", () => {
    const circle = { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } };
    expect(wrong(circle, 1)[0]).toContain("round in circles");
  });
});

describe("what is refused", () => {
  test.each([
    [[], "a schema is an object"],
    ["text", "a schema is an object"],
    [{ properties: { a: { nullable: true } } }, 'at #/properties/a/nullable: the keyword "nullable" is not understood'],
    [{ unevaluatedProperties: false }, '"unevaluatedProperties" is not understood'],
    [{ items: [{}] }, 'a list of schemas is called "prefixItems"'],
    [{ type: "text" }, 'at #/type: it cannot be "text"'],
    [{ type: [] }, "at #/type"],
    [{ enum: "a" }, "it must be a list"],
    [{ $ref: "other.json" }, "does not lead to a place in the same file"],
    [{ $ref: "#/$defs/none" }, "leads nowhere"],
    [{ pattern: "(" }, "is not a regular expression"],
    [{ minLength: -1 }, "it cannot be -1"],
    [{ anyOf: [] }, "it must be a list of schemas"],
    [{ required: "a" }, 'it cannot be "a"'],
    [{ multipleOf: 0 }, "it cannot be 0"],
  ])("%j", (schema, why) => expect(() => checkSchema(schema)).toThrow(why));
});
