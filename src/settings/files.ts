// Settings files: YAML with the same names the flags have. Unknown names and wrong types are errors that say where.

import { existsSync, readFileSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { readCustomLanguages } from "./custom-languages.ts";
import { type Choices, type Option, options } from "./options.ts";
import type { Places } from "./places.ts";
import { InputProblem, nearest } from "./problem.ts";
import { checkValue } from "./values.ts";

export async function readSettingsFile(places: Places): Promise<Choices> {
  const path = join(places.config, "settings.yaml");
  return existsSync(path) ? readYaml(path) : {};
}

export async function readProfile(name: string, places: Places, cwd: string): Promise<Choices> {
  const named = join(places.config, "profiles", /\.ya?ml$/.test(name) ? name : `${name}.yaml`);
  const path = [resolve(cwd, name), named].find((candidate) => /\.ya?ml$/.test(candidate) && existsSync(candidate));
  if (!path) {
    const looked = isAbsolute(name) ? name : named;
    throw new InputProblem(
      `There is no profile ${JSON.stringify(name)}.`,
      `A profile is a YAML file of settings: ${looked}`,
    );
  }
  return readYaml(path);
}

async function readYaml(path: string): Promise<Choices> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new InputProblem(`${path} cannot be read: ${(error as Error).message}.`);
  }
  const { isMap, isScalar, isSeq, LineCounter, parseDocument } = await import("./yaml.ts");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const broken = document.errors[0];
  if (broken) throw new InputProblem(`${path} is not valid YAML: ${broken.message.split("\n")[0]}`);
  if (document.contents === null) return {};
  if (!isMap(document.contents)) throw new InputProblem(`${path} must be a list of names and values.`);
  const choices: Record<string, unknown> = {};
  for (const pair of document.contents.items) {
    const key = String(isScalar(pair.key) ? pair.key.value : pair.key);
    const line = lines.linePos(pair.key.range?.[0] ?? 0).line;
    const where = `${path}:${line}: ${key}`;
    if (key === "languages") {
      const place = { path, lines };
      choices.customLanguages = await readCustomLanguages(pair.value, pair.key.range?.[0] ?? 0, place);
      continue;
    }
    const value = isScalar(pair.value) ? pair.value.value : isSeq(pair.value) ? pair.value.toJSON() : pair.value;
    const option = findBySpelling(key, where);
    choices[option.name] = checkValue(option, value, where);
  }
  return choices as Choices;
}

function findBySpelling(key: string, where: string): Option {
  const settable = (options as readonly Option[]).filter((option) => !option.once);
  const plain = key.replaceAll("-", "_");
  const option = settable.find((candidate) => candidate.flag === plain || candidate.name === key);
  if (option) return option;
  const near = nearest(plain, [...settable.map((candidate) => candidate.flag), "languages"]);
  throw new InputProblem(
    `${where} is not a setting.`,
    near ? `Did you mean ${near}?` : "docs/settings.md lists every setting.",
  );
}
