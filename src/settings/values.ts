// Turns what was written somewhere into the value an option takes, or says why it cannot.

import type { Option } from "./options/index.ts";
import { InputProblem, nearest } from "./problem.ts";

export type Value = string | number | boolean | readonly string[];

/** A value written as text: on the command line or in the environment. `where` names the place for the message. */
export function valueFromText(option: Option, text: string, where: string): Value {
  if (option.kind === "number") {
    const value = text.trim() === "" ? Number.NaN : Number(text);
    return checkValue(option, Number.isNaN(value) ? text : value, where);
  }
  if (option.kind === "size") return checkValue(option, text, where);
  if (option.kind === "boolean") {
    if (/^(true|yes|on|1)$/i.test(text)) return true;
    if (/^(false|no|off|0)$/i.test(text)) return false;
    throw new InputProblem(`${where} is either true or false, not ${JSON.stringify(text)}.`);
  }
  if (option.kind === "list" && text.trim() !== "")
    return checkValue(
      option,
      text.split("\n").filter((line) => line.trim() !== ""),
      where,
    );
  return checkValue(option, text, where);
}

/** A value that already has a type: from a settings file or the library. */
export function checkValue(option: Option, value: unknown, where: string): Value {
  if (option.kind === "boolean") {
    if (typeof value !== "boolean") throw new InputProblem(`${where} is either true or false, not ${show(value)}.`);
    return value;
  }
  if (option.kind === "number") {
    if (typeof value !== "number" || !Number.isFinite(value)) {
      throw new InputProblem(`${where} takes a number, not ${show(value)}.`);
    }
    if (option.min !== undefined && value < option.min)
      throw new InputProblem(`${where} must be at least ${option.min}.`);
    return value;
  }
  if (option.kind === "size") {
    const size = readSize(value);
    if (size === undefined) throw new InputProblem(`${where} takes a size such as 500MB or 5GB, not ${show(value)}.`);
    return size;
  }
  if (option.kind === "list") return checkList(value, where);
  if (typeof value !== "string" || (value === "" && !option.mayBeEmpty))
    throw new InputProblem(`${where} takes text, not ${show(value)}.`);
  if (option.contains && !value.includes(option.contains))
    throw new InputProblem(`${where} has no ${option.contains} in it, so what belongs there would be lost.`);
  if (option.address && !/^(https?:\/\/[^\s/]+|[\w.-]+:\d+|localhost\b)/i.test(value)) {
    throw new InputProblem(`${where} takes an address such as http://127.0.0.1:8080/v1, not ${show(value)}.`);
  }
  if (option.choices && !option.choices.includes(value)) {
    const near = nearest(value, option.choices);
    throw new InputProblem(
      `${where} is one of ${option.choices.join(", ")}, not ${show(value)}.`,
      near && `Did you mean ${near}?`,
    );
  }
  return value;
}

/** One text alone is a list of one. */
function checkList(value: unknown, where: string): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0) throw new InputProblem(`${where} takes at least one text, and the list is empty.`);
  const wrong = list.findIndex((each) => typeof each !== "string" || each.trim() === "");
  if (wrong === -1) return list as string[];
  const which = Array.isArray(value) ? `: number ${wrong + 1} is ${show(list[wrong])}` : `, not ${show(value)}`;
  throw new InputProblem(`${where} takes a text or a list of texts${which}.`);
}

const units: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, g: 1e9, t: 1e12 };
const binaryUnits: Readonly<Record<string, number>> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** What a size looks like, for the schema too. */
export const sizePattern = "^ *[0-9]+([.][0-9]+)? *(|[bB]|[kKmMgGtT]|[kKmMgGtT][iI]?[bB]) *$";

/** Bytes; undefined when it is no size. */
function readSize(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
  if (typeof value !== "string" || !new RegExp(sizePattern).test(value)) return undefined;
  const [, number, unit, binary] = /([\d.]+) *([kmgt]?)(i?)/i.exec(value)!;
  return Math.round(Number(number) * ((binary ? binaryUnits : units)[unit!.toLowerCase()] ?? 1));
}

/** 5GB, 1500MB; what is no round number, in bytes. */
export function sizeText(size: number): string {
  const [unit, factor] = Object.entries(units).findLast(([, each]) => size >= each && size % each === 0) ?? ["", 1];
  return unit === "" ? String(size) : `${size / factor}${unit === "k" ? "k" : unit.toUpperCase()}B`;
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
