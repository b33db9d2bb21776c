// Commands about what code may do: /rules shows or explains it, /allow and /deny change it, for as long as is said.

import {
  InputProblem,
  nearest,
  openRules,
  places,
  type Rules,
  type Scope,
  type WrittenRule,
} from "../../settings/index.ts";
import { sanitize } from "../sanitize.ts";
import { foldWords } from "../text/fold-words.ts";
import type { ChatControls } from "./command.ts";

export async function showRules(chat: ChatControls, written: string): Promise<void> {
  const { interpreter, settings, print, view } = chat;
  const { cwd } = interpreter;
  const { standingOf } = await import("../rules/standing.ts");
  const rules = (await interpreter.rules()) ?? (await filedRules(chat));
  const standing = await standingOf({ settings, rules, cwd, env: process.env });
  const [, asked] = /^check\s+(.*)$/s.exec(written) ?? [];
  if (written !== "" && asked === undefined)
    throw new InputProblem(
      "/rules shows all of them, and /rules check explains one decision.",
      "/rules check host example.org",
    );
  if (asked !== undefined) {
    const { check, checkLines } = await import("../rules/check.ts");
    for (const line of checkLines(await check([asked], standing, cwd, process.env), rules.path, view.style))
      print(folded(chat, line));
    return;
  }
  const { ruleRows, ruleTable } = await import("../rules/list.ts");
  print(`Sandbox: ${view.style.bold(standing.level)}\n`);
  for (const line of ruleTable(await ruleRows(standing), process.stdout.columns || 80, view.style)) print(line);
  print(view.style.dim(`Always kept in ${rules.path}\n`));
}

export async function addRule(chat: ChatControls, verdict: "allow" | "deny", written: string): Promise<void> {
  const { rule, scope } = await readRule(verdict, written);
  const words = (await chat.interpreter.rules())
    ? await chat.interpreter.rule(rule, scope)
    : await withoutSandbox(chat, rule, scope);
  const others = scopes.filter((each) => each !== scope).map((each) => `/${verdict} ${each} …`);
  const told = `${sanitize(words)}\n${chat.view.style.dim(`Otherwise: ${others.join(", ")}`)}\n`;
  chat.print(folded(chat, told));
}

const folded = ({ view }: ChatControls, text: string): string =>
  view.live ? foldWords(text, (process.stdout.columns || 80) - 1) : text;

const filedRules = async ({ interpreter: { cwd }, settings }: ChatControls): Promise<Rules> =>
  (await openRules()).loadRules(places(), { cwd, choices: settings });

/** Where nothing holds code back, only what is kept for other conversations makes a difference. */
async function withoutSandbox(chat: ChatControls, rule: WrittenRule, scope: Scope): Promise<string> {
  if (scope !== "always")
    throw new InputProblem(
      "There is no sandbox here, so no rule holds code back.",
      "--sandbox workspace puts one up; /rules shows what holds.",
    );
  return `${await (await filedRules(chat)).remember(rule, scope)} There is no sandbox here, so nothing changes in this conversation.`;
}

const scopes: readonly Scope[] = ["once", "conversation", "always"];

/** `host example.org`, with how long it holds in front or behind; for this conversation when that is not said. */
export async function readRule(
  verdict: "allow" | "deny",
  written: string,
): Promise<{ rule: WrittenRule; scope: Scope }> {
  const { kinds } = await openRules();
  const usage = `/${verdict} [once|conversation|always] host example.org, or: /${verdict} write ~/Desktop`;
  const words = written.trim().split(/\s+/);
  const isScope = (word: string | undefined): word is Scope => scopes.some((scope) => scope === word);
  const [leading, trailing] = [words[0], words.length > 2 && words[0] !== "command" ? words.at(-1) : undefined];
  const scope = isScope(leading) ? leading : isScope(trailing) ? trailing : "conversation";
  const rest = isScope(leading) ? words.slice(1) : isScope(trailing) ? words.slice(0, -1) : words;
  const kind = kinds.find((each) => each === rest[0]);
  if (!kind) {
    const near = nearest(rest[0] ?? "", kinds);
    const what =
      written === ""
        ? `What is to be ${verdict === "allow" ? "allowed" : "forbidden"}?`
        : `${JSON.stringify(rest[0] ?? "")} is none of ${kinds.join(", ")}.`;
    throw new InputProblem(sanitize(what), near && near !== rest[0] ? `Did you mean ${near}? ${usage}` : usage);
  }
  const pattern = rest
    .slice(1)
    .join(" ")
    .replace(/^(["'])(.*)\1$/, "$2");
  if (pattern === "") throw new InputProblem(`Which ${kind}?`, usage);
  return { rule: { verdict, kind, pattern }, scope };
}
