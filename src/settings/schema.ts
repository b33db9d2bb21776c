// The JSON Schema of a settings file, made from the table of options: editors complete and check with it.

import type { CustomLanguage } from "./custom-languages.ts";
import { settable } from "./find-option.ts";
import { defaults, type Option } from "./options/index.ts";
import { sizePattern } from "./values.ts";

export function settingsSchema(): object {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Settings of Open Interpreter",
    description: "settings.yaml, profiles/NAME.yaml and .interpreter/settings.yaml",
    type: "object",
    properties: { ...Object.fromEntries(settable.map((option) => [option.flag, schemaOf(option)])), languages },
    additionalProperties: false,
  };
}

function schemaOf(option: Option): object {
  const standing = (defaults as Record<string, unknown>)[option.name];
  return {
    description: option.help,
    ...kinds[option.kind](option),
    ...(standing !== undefined && { default: standing }),
  };
}

const text = { type: "string", minLength: 1 };

const kinds: Record<Option["kind"], (option: Option) => object> = {
  boolean: () => ({ type: "boolean" }),
  number: ({ min }) => ({ type: "number", ...(min !== undefined && { minimum: min }) }),
  size: () => ({
    anyOf: [
      { type: "number", minimum: 0 },
      { type: "string", pattern: sizePattern },
    ],
  }),
  choice: ({ choices }) => ({ type: "string", enum: choices }),
  list: () => ({ anyOf: [text, { type: "array", items: text, minItems: 1 }] }),
  text: ({ mayBeEmpty, contains }) => ({
    type: "string",
    ...(!mayBeEmpty && { minLength: 1 }),
    ...(contains && { pattern: contains.replace(/[{}]/g, "\\$&") }),
  }),
};

const texts = { type: "array", items: { type: ["string", "number"] } };
const fields: Record<keyof CustomLanguage, object> = {
  name: { type: "string", pattern: "^[a-z][\\w+#.-]*$", description: "What you and the model call it." },
  aliases: { ...texts, description: "Other names." },
  extension: { ...text, description: "The ending of its files." },
  title: { ...text, description: "Its name for people." },
  note: { ...text, description: "A sentence about it for the model." },
  offered: { type: "boolean", description: "false: it runs when asked for, but the model is not told of it." },
  command: { anyOf: [text, texts], description: "The program and its arguments; {file} is the file a block is in." },
  run: { enum: ["file", "repl", "driver"], description: "How it is given a block." },
  block: {
    ...text,
    description: "With repl: what is written to run a block; {code}, {file} or {base64} stand for it.",
  },
  end: { ...text, description: "With repl: what is written after a block to make it print {end}." },
  setup: { ...text, description: "With repl: what is written once, first." },
  prompt: { ...text, description: "With repl: a prompt that is taken out of the output." },
  module: { ...text, description: "A module whose default export is a language, instead of a command." },
  env: { type: "object", description: "Variables for its process." },
  install: { ...text, description: "What to do when the program is missing." },
};

const languages = {
  description: "Languages of your own.",
  type: "array",
  items: { type: "object", properties: fields, required: ["name"], additionalProperties: false },
};
