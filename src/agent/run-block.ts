// From a block the model wrote to a step: is it something that can run, may it run, what came of it.

import type { Chunk } from "../messages/index.ts";
import type { Decision } from "./approval.ts";
import { BlockWriter } from "./block-writer.ts";
import { runKeptStep } from "./kept-step.ts";
import { type Kind, kindsOf } from "./kinds.ts";
import type { Verdict } from "./loop-guard.ts";
import { failure, notice } from "./notice.ts";
import { notRun, type WrittenBlock } from "./reply.ts";
import type { Finding } from "./safety/finding.ts";
import type { StepResult } from "./step.ts";
import type { TurnEnd, TurnRequest } from "./turn.ts";

export type Guard = (language: string, code: string, result: StepResult) => Verdict;

/** Runs the block, or says why not. Returns how the turn must end, if it must. */
export async function* runBlock(
  request: TurnRequest,
  guard: Guard,
  { id, language: name, code }: WrittenBlock,
): AsyncGenerator<Chunk, TurnEnd | undefined> {
  const language = request.sessions.find(name);
  if (!language || code.trim() === "") {
    const unknown = `\`${name}\` is not a language that runs here. Use one of: ${request.languages.join(", ")}.`;
    yield* notRun(id, language ? "the block was empty. Write the code to run." : unknown);
    return yield* judge(guard(name, code, { status: "not-run", fingerprint: "", complaints: "", hosts: [] }));
  }

  const ruled = await request.transaction?.judge({ language: language.name, code });
  if (ruled?.verdict === "deny") {
    yield* notRun(id, `a rule of the user forbids it: ${ruled.because}.`, "refused");
    const where = ruled.rule === undefined ? "" : ` (${ruled.rule})`;
    yield notice("rule", `A rule of yours forbids this block: ${ruled.because.replace(/\.$/, "")}${where}.`);
    return yield* judge(guard(name, code, { status: "not-run", fingerprint: "", complaints: "", hosts: [] }));
  }
  const block = { language: name, code, kinds: kindsOf(language.name, code) };
  const first = await request.approveFirst?.(block, request.signal);
  let decision: Decision = first ?? { type: "run" };
  const waits = !first && (ruled?.verdict === "ask" || !(await runsUnasked(request, block.kinds)));
  const findings = await look(request, language.name, code, waits);
  if (waits || (!first && findings.danger)) {
    yield {
      role: "computer",
      type: "confirmation",
      format: "execution",
      content: { type: "code", format: name, content: code },
      id,
    };
    decision = await request.approve(
      {
        ...block,
        ...(findings.found.length > 0 && { findings: findings.found }),
        ...(ruled?.verdict === "ask" && { because: ruled.because }),
      },
      request.signal,
    );
    // What was edited is other code: it is looked at again.
    while (decision.type === "edit" && request.safety) {
      const edited: string = decision.code;
      const { found } = await look(request, language.name, edited, true);
      if (found.length === 0) break;
      const again = { language: name, code: edited, kinds: kindsOf(language.name, edited), findings: found };
      const next = await request.approve(again, request.signal);
      if (next.type === "run" || next.type === "always") break;
      decision = next;
    }
  }
  if (request.signal.aborted) {
    yield* notRun(id, "the user interrupted.", "refused");
    return "interrupted";
  }
  if (decision.type === "nobody") {
    yield* notRun(id, "it needs the user's approval, and nobody is there to give it.", "refused");
    const [worst] = findings.danger ? findings.found : [];
    yield worst
      ? failure(
          "approval",
          `Safe mode holds the block back, and nobody is here to decide. Line ${worst.line}: ${worst.text}`,
          "Start it in a terminal, or use --safe_mode ask or off.",
        )
      : failure(
          "approval",
          "Code waits for approval, and nobody is here to give it.",
          "Use -y to run code without asking, or start it in a terminal.",
        );
    return "nobody";
  }
  if (decision.type === "refuse") {
    yield* notRun(id, "the user declined to run this block.", "refused");
    if (!decision.words) return "refused";
    request.steering.push(decision.words);
    return undefined;
  }
  if (decision.type === "always") {
    if (decision.kinds) for (const kind of decision.kinds) request.autoRun.kinds.add(kind);
    else request.autoRun.value = true;
  }

  let step = { id, code };
  if (decision.type === "edit" && decision.code !== code) {
    yield* notRun(id, "the user changed this block. What they ran instead follows.", "refused");
    step = { id: `${id}-edited`, code: decision.code };
    yield* new BlockWriter().message({ role: "user", type: "code", format: name }, step.code, { id: step.id });
  }
  const result = yield* runKeptStep({ ...request, ...step, language, outputFile: request.outputFile(step.id) });
  if (result.stop) return result.stop;
  if (result.status === "interrupted") return "interrupted";
  return yield* judge(guard(name, step.code, result));
}

/** Nothing has to be asked about code when its effects are asked about, or when it has none. */
async function runsUnasked({ autoRun, transaction }: TurnRequest, kinds: readonly Kind[]): Promise<boolean> {
  if (autoRun.value || kinds.every((kind) => autoRun.kinds.has(kind))) return true;
  if (!autoRun.effects || !transaction) return false;
  return (await transaction.protection()).kind !== "none";
}

/** What safe mode finds in it; nothing where it is off, or where nobody would be asked and it is not to be looked at then. */
async function look(
  { safety, signal }: TurnRequest,
  language: string,
  code: string,
  waits: boolean,
): Promise<{ found: readonly Finding[]; danger: boolean }> {
  if (!safety || (safety.mode === "ask" && !waits)) return { found: [], danger: false };
  const { examine, mustAsk } = await import("./safety/index.ts");
  const found = await examine({ language, code }, { ...safety, signal });
  return { found, danger: mustAsk(found, safety.mode) };
}

function* judge(verdict: Verdict): Generator<Chunk, TurnEnd | undefined> {
  if (verdict === "stop") {
    yield notice("loop", "Stopped: the same block ended the same way three times.", "Tell it what to do differently.");
    return "limit";
  }
  if (verdict === "warn") {
    const words =
      "(That block ended exactly as it did before. Do not send it again unchanged: find the cause or take another way.)";
    yield* new BlockWriter().message({ role: "user", type: "message" }, words, { recipient: "assistant" });
  }
  return undefined;
}
