// Offers to run again the blocks that made what is gone, and runs them: the fewest, in their order, each approved like any other.

import { type Approve, type ApproveFirst, type AutoRun, kindsOf, notRun } from "../../agent/index.ts";
import type { Session, Sessions } from "../../languages/index.ts";
import { type Chunk, newId } from "../../messages/index.ts";
import type { RanBlock } from "./blocks.ts";
import { planAgain } from "./plan.ts";
import type { Outcome, SavedSessions } from "./saved-sessions.ts";
import { laterThan } from "./words.ts";

export interface RunAgainOffer {
  /** What is gone, by language; without names where everything is. */
  gone: { language: string; names: readonly string[] }[];
  /** The blocks that make it again, in the order they would run. */
  blocks: { language: string; code: string }[];
}

/** Asked once, before the first turn of a conversation that is gone on with, when something is gone. True runs the blocks. */
export type AskRunAgain = (offer: RunAgainOffer, signal: AbortSignal) => Promise<boolean>;

/** What could be run again. Starts the sessions that something is gone from. */
export async function findOffer(saved: SavedSessions, sessions: Sessions): Promise<RunAgainOffer | undefined> {
  const gone: RunAgainOffer["gone"] = [];
  const chosen: RanBlock[] = [];
  for (const { language: name, kept, blocks } of saved.before) {
    const language = sessions.find(name);
    const failed = saved.back.has(name) && !saved.back.get(name)!.gone;
    const missing = !kept || failed || kept.state.names.some((each) => each.gone !== undefined);
    if (!language || blocks.length === 0 || !(missing || laterThan(kept, blocks) > 0)) continue;
    const session = await sessions.open(language).catch(() => undefined);
    if (!session?.blockFacts) continue;
    const back = saved.back.get(name);
    const later = kept && back?.gone ? laterThan(kept, blocks) : 0;
    const places = await planOf(session, { blocks, back, later });
    if (places.length === 0) continue;
    gone.push({ language: name, names: back?.gone ?? [] });
    chosen.push(...places.map((place) => blocks[place]!));
  }
  chosen.sort((a, b) => a.at - b.at);
  if (chosen.length === 0) return undefined;
  return { gone, blocks: chosen.map(({ language, code }) => ({ language, code })) };
}

interface Known {
  blocks: readonly RanBlock[];
  back: Outcome | undefined;
  later: number;
}

async function planOf(session: Session, { blocks, back, later }: Known): Promise<number[]> {
  try {
    const facts = await session.blockFacts!(blocks.map(({ code }) => code));
    return planAgain({ facts, wanted: back?.gone, there: back?.there ?? [], later });
  } catch {
    return [];
  }
}

export interface RunAgainRequest {
  blocks: RunAgainOffer["blocks"];
  approve: Approve;
  approveFirst: ApproveFirst | undefined;
  autoRun: AutoRun;
  run: (language: string, code: string, id: string) => AsyncIterable<Chunk>;
  signal: AbortSignal;
}

/** Ends at the first block that is declined: what follows may need it. */
export async function* runAgain({ blocks, ...request }: RunAgainRequest): AsyncGenerator<Chunk> {
  const { signal, autoRun } = request;
  for (const { language, code } of blocks) {
    let id = `again-${newId()}`;
    yield* written(language, code, id);
    const kinds = kindsOf(language, code);
    const block = { language, code, kinds };
    let decision = await request.approveFirst?.(block, signal);
    if (!decision && (autoRun.value || kinds.every((kind) => autoRun.kinds.has(kind)))) decision = { type: "run" };
    if (!decision) {
      const content = { type: "code", format: language, content: code } as const;
      yield { role: "computer", type: "confirmation", format: "execution", content, id };
      decision = await request.approve(block, signal);
    }
    if (signal.aborted || decision.type === "refuse" || decision.type === "nobody") {
      yield* notRun(id, "the user declined to run it again.", "refused");
      return;
    }
    if (decision.type === "always") {
      if (decision.kinds) for (const kind of decision.kinds) autoRun.kinds.add(kind);
      else autoRun.value = true;
    }
    let text = code;
    if (decision.type === "edit" && decision.code !== code) {
      yield* notRun(id, "the user changed this block. What they ran instead follows.", "refused");
      text = decision.code;
      id = `${id}-edited`;
      yield* written(language, text, id);
    }
    yield* request.run(language, text, id);
  }
}

function* written(language: string, code: string, id: string): Generator<Chunk> {
  const header = { role: "user", type: "code", format: language } as const;
  yield { ...header, start: true, id };
  yield { ...header, content: code };
  yield { ...header, end: true };
}
