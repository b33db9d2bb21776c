// The tool dialect: a block is a call of `execute`. Calls may come in parallel, under a wrong name, without deltas,
// or with arguments that are not JSON; each one becomes one block.

import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import { type Block, openBlock } from "../repair.ts";
import { keepFacts } from "../thinking.ts";
import { type ArgumentReader, createArgumentReader } from "./argument-reader.ts";
import { languageInName } from "./call-name.ts";
import type { Ending, ReaderContext, ReplyReader } from "./dialect.ts";
import { createLanes, type Lane } from "./lanes.ts";
import { createTextReader, type TextReader } from "./text-reader.ts";
import { createThoughtReader } from "./thoughts.ts";

interface OpenCall {
  lane: Lane;
  reader: ArgumentReader;
  /** What the provider says about the call besides the call. */
  note(metadata: SharedV4ProviderMetadata | undefined): void;
  finish(complete: boolean): void;
  /** The provider has said all of it. */
  said: boolean;
  heard: boolean;
}

export function createToolReader(context: ReaderContext): ReplyReader {
  const lanes = createLanes(context.emit);
  const calls = new Map<string, OpenCall>();
  /** Calls that are over: a provider may still have something to say about them. */
  const done = new Set<string>();
  const thoughts = createThoughtReader(context.author, lanes);
  let speech: { lane: Lane; text: TextReader } | undefined;
  /** What the provider says about the text besides the text. */
  let facts: SharedV4ProviderMetadata | undefined;

  const closeSpeech = (ending: Ending): void => {
    speech?.text.end(ending);
    speech?.lane.close();
    speech = undefined;
  };

  const say = (text: string): void => {
    if (!speech) {
      const lane = lanes.open();
      speech = { lane, text: createTextReader({ ...context, emit: lane.emit }) };
    }
    speech.text.write(text);
  };

  const endSpeech = (metadata: SharedV4ProviderMetadata | undefined): void => {
    const provider = keepFacts(context.author, metadata);
    if (!speech || !provider) return;
    const { lane, text } = speech;
    text.end("whole");
    lane.emit({ type: "text-end", provider });
    lane.close();
    speech = undefined;
  };

  const startCall = (callId: string, name: string): OpenCall => {
    closeSpeech("whole");
    // OpenRouter ends thinking only with the reply; what goes back of it comes with the call.
    if (context.author.wire === "openrouter") thoughts.end();
    // Another call shows that those before it were not cut.
    for (const earlier of calls.values()) if (earlier.said || earlier.reader.closed) finishCall(earlier, true);
    const interrupted = calls.get(callId);
    if (interrupted) finishCall(interrupted, false);
    const call = openCall(name, lanes.open(), context);
    calls.set(callId, call);
    return call;
  };

  const finishCall = (call: OpenCall, complete: boolean): void => {
    for (const [callId, open] of calls) {
      if (open !== call) continue;
      calls.delete(callId);
      done.add(callId);
    }
    call.finish(complete);
  };

  return {
    read(part) {
      switch (part.type) {
        case "text-start":
          facts = part.providerMetadata;
          return;
        case "text-delta":
          facts = { ...facts, ...part.providerMetadata };
          if (part.delta !== "") say(part.delta);
          return;
        case "text-end":
          endSpeech({ ...facts, ...part.providerMetadata });
          facts = undefined;
          return;
        case "reasoning-start":
        case "reasoning-delta":
        case "reasoning-end":
          if (part.type !== "reasoning-end") closeSpeech("whole");
          thoughts.read(part);
          return;
        case "tool-input-start":
          startCall(part.id, part.toolName).note(part.providerMetadata);
          return;
        case "tool-input-delta": {
          const call = calls.get(part.id);
          if (!call) return;
          call.heard ||= part.delta !== "";
          call.reader.write(part.delta);
          return;
        }
        case "tool-input-end":
        case "tool-call": {
          const callId = part.type === "tool-call" ? part.toolCallId : part.id;
          const call =
            calls.get(callId) ??
            (part.type === "tool-call" && !done.has(callId) ? startCall(callId, part.toolName) : undefined);
          if (!call) return;
          call.note(part.providerMetadata);
          if (part.type === "tool-call") {
            if (!call.heard) call.reader.write(part.input);
            call.heard = true;
          }
          call.said = true;
          return;
        }
        default:
          return;
      }
    },
    end(ending) {
      closeSpeech(ending);
      thoughts.end();
      // At the length limit, calls that are whole in themselves may still run.
      for (const call of [...calls.values()])
        finishCall(call, ending === "whole" || (ending === "length" && call.reader.closed));
    },
  };
}

function openCall(name: string, lane: Lane, context: ReaderContext): OpenCall {
  const named = languageInName(name, context.languages);
  let id = context.newId();
  let block: Block | undefined;
  let language = named;
  let early: string[] = [];
  let further = false;
  let facts: SharedV4ProviderMetadata | undefined;

  /** What belongs to the call belongs to its first block. */
  const emit: Lane["emit"] = (event) => {
    const provider = event.type === "code-end" ? keepFacts(context.author, facts) : undefined;
    if (provider) facts = undefined;
    lane.emit(event.type === "code-end" && provider ? { ...event, provider } : event);
  };

  const begin = (): Block => {
    block ??= openBlock(id, language ?? "python", context.languages, emit);
    for (const text of early) block.write(text);
    early = [];
    return block;
  };

  const reader = createArgumentReader({
    language(found) {
      if (block) return;
      language = found;
      begin();
    },
    code(text) {
      if (block || named) begin().write(text);
      else early.push(text);
    },
    next() {
      begin().end(true);
      block = undefined;
      language = named;
      id = context.newId();
      further = true;
    },
  });

  return {
    lane,
    reader,
    note(metadata) {
      facts = { ...facts, ...metadata };
    },
    said: false,
    heard: false,
    finish(complete) {
      reader.end();
      const silent = !block && early.length === 0;
      if (!(silent && further)) begin().end(complete);
      lane.close();
    },
  };
}
