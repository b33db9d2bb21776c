// The tool dialect: a block is a call of `execute`. Calls may come in parallel, under a wrong name, without deltas,
// or with arguments that are not JSON; each one becomes one block.

import { type Block, openBlock } from "../repair.ts";
import { type ArgumentReader, createArgumentReader } from "./argument-reader.ts";
import type { Ending, ReaderContext, ReplyReader } from "./dialect.ts";
import { isExecutable } from "./labels.ts";
import { createLanes, type Lane } from "./lanes.ts";
import { createTextReader, type TextReader } from "./text-reader.ts";

interface OpenCall {
  lane: Lane;
  reader: ArgumentReader;
  id: string;
  finish(complete: boolean): void;
  /** The provider has said all of it. */
  said: boolean;
  heard: boolean;
}

export function createToolReader(context: ReaderContext): ReplyReader {
  const lanes = createLanes(context.emit);
  const calls = new Map<string, OpenCall>();
  /** Blocks of calls that are over: a provider may still have something to say about them. */
  const done = new Map<string, string>();
  let speech: { lane: Lane; text: TextReader } | undefined;
  let first = true;

  const closeSpeech = (ending: Ending): void => {
    speech?.text.end(ending);
    speech?.lane.close();
    speech = undefined;
  };

  const say = (text: string): void => {
    if (!speech) {
      const lane = lanes.open();
      speech = { lane, text: createTextReader({ ...context, emit: lane.emit }, first) };
      first = false;
    }
    speech.text.write(text);
  };

  const startCall = (callId: string, name: string): OpenCall => {
    closeSpeech("whole");
    first = false;
    // Another call shows that those before it were not cut.
    for (const earlier of calls.values()) if (earlier.said || earlier.reader.closed) finishCall(earlier, true);
    const call = openCall(name, lanes.open(), context);
    calls.set(callId, call);
    return call;
  };

  const finishCall = (call: OpenCall, complete: boolean): void => {
    for (const [callId, open] of calls) {
      if (open !== call) continue;
      calls.delete(callId);
      done.set(callId, call.id);
    }
    call.finish(complete);
  };

  return {
    read(part) {
      switch (part.type) {
        case "text-delta":
          say(part.delta);
          return;
        case "reasoning-delta": {
          if (part.delta === "") return;
          closeSpeech("whole");
          const lane = lanes.open();
          lane.emit({ type: "reasoning-delta", text: part.delta });
          lane.close();
          return;
        }
        case "tool-input-start":
          startCall(part.id, part.toolName);
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
          const blockId = call?.id ?? done.get(callId);
          if (part.type === "tool-call" && part.providerMetadata && blockId)
            context.remember(blockId, part.providerMetadata);
          if (!call) return;
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
      // At the length limit, calls that are whole in themselves may still run.
      for (const call of [...calls.values()])
        finishCall(call, ending === "whole" || (ending === "length" && call.reader.closed));
    },
  };
}

/** A call under the name of a language is a call in that language; any other name means the one tool. */
function languageInName(name: string, languages: readonly string[]): string | undefined {
  const bare = name.replace(/^functions?\./, "").toLowerCase();
  const word =
    /^(?:run|execute|exec)_(\w+)$/.exec(bare)?.[1] ?? /^(\w+)_(?:run|execute|exec|code)$/.exec(bare)?.[1] ?? bare;
  return isExecutable(word, languages) ? word : undefined;
}

function openCall(name: string, lane: Lane, context: ReaderContext): OpenCall {
  const named = languageInName(name, context.languages);
  let id = context.newId();
  let block: Block | undefined;
  let language = named;
  let early: string[] = [];
  let further = false;

  const begin = (): Block => {
    block ??= openBlock(id, language ?? "python", context.languages, lane.emit);
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
    get id() {
      return id;
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
