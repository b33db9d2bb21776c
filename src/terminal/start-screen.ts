// What the person sees first: what is ready, what is missing, and what to do next. Nothing here waits for the network.

import { type Interpreter, NoModelProblem } from "../interpreter/index.ts";
import type { Message } from "../messages/index.ts";
import { findLocalServers } from "../models/index.ts";
import { hasInstructions, type Settings } from "../settings/index.ts";
import { sanitize } from "./sanitize.ts";
import type { Style } from "./style.ts";

export function heading(interpreter: Interpreter, style: Style): string {
  return `${style.bold("Open Interpreter")} ${style.dim(`in ${interpreter.cwd}`)}\n`;
}

/** May ask the person for a key on the way. */
export async function startScreen(interpreter: Interpreter, settings: Settings, style: Style): Promise<string> {
  const lines: string[] = [];
  if (interpreter.messages.length > 0)
    lines.push(...goingOn(interpreter.messages, style, await interpreter.stateLines()));
  try {
    const model = await interpreter.model();
    lines.push(`${style.dim("model")} ${model.id}${style.dim(await besideModel(interpreter, settings))}`);
    lines.push(...howItRuns(settings, style));
  } catch (error) {
    const { message, hint } = error as { message: string; hint?: string };
    if (hint === undefined) throw error;
    lines.push(`${style.yellow("!")} ${message}`, `  ${hint}`);
    if (error instanceof NoModelProblem) lines.push(...(await withoutModel(interpreter, style)));
  }
  return `${lines.join("\n")}\n`;
}

const further = "%help lists commands; Ctrl-C stops what runs.";

function howItRuns({ autoRun, approveWhat, plan, layer }: Settings, style: Style): string[] {
  const reads = plan ? [style.yellow("Nothing is changed here (--plan): code may only read and compute.")] : [];
  if (autoRun) return [...reads, style.yellow("Code runs without asking (-y).")];
  const what =
    approveWhat === "effects" && layer !== "off"
      ? "Code runs at once; what it did waits for your yes."
      : "Code waits for your yes.";
  return [...reads, style.dim(`${what} ${further}`)];
}

/** A folder that somebody else made may bring a key of theirs, and words for the model: that is said. */
async function besideModel(interpreter: Interpreter, settings: Settings): Promise<string> {
  const key = (await interpreter.keyFrom()) === ".env" ? ", with the key from .env in this folder" : "";
  const read = settings.projectInstructions && hasInstructions(interpreter.cwd, process.env);
  return `${key}${settings.offline ? ", offline" : ""}${read ? ", with AGENTS.md of this folder" : ""}`;
}

/** What a conversation that is gone on with was about, and what of its sessions comes back. */
export function goingOn(messages: readonly Message[], style: Style, state: readonly string[]): string[] {
  const said = messages.filter(({ type, recipient }) => type === "message" && recipient !== "assistant");
  const last = said
    .slice(-2)
    .map(({ role, content }) => `${role === "user" ? "> " : ""}${sanitize(content).trim().slice(0, 300)}`);
  return [
    `Going on after ${messages.length} messages.`,
    ...state.map(sanitize),
    ...last.map((text) => style.dim(text)),
  ];
}

async function withoutModel(interpreter: Interpreter, style: Style): Promise<string[]> {
  const servers = await findLocalServers();
  const found = servers.map((server) => {
    const first = server.models[0]?.name;
    return first
      ? `  ${server.name} is running here with ${count(server.models.length)}. Use one: ${style.bold(`%model ${server.provider}/${first}`)}`
      : `  ${server.name} is running here, but has no model yet.`;
  });
  const usable = (await interpreter.sessions.usable()).map((language) => language.name);
  const tour = process.env.npm_lifecycle_event === "start" ? "npm start -- tour" : "interpreter tour";
  return [
    ...(found.length > 0
      ? found
      : ["  No local model server (Ollama, LM Studio, Jan, llama.cpp, vLLM) answers here; --local helps to get one."]),
    "",
    `The sessions work without a model (${usable.join(", ")}). Try:`,
    `  ${style.bold("!ls")}                     a shell command`,
    `  ${style.bold("%python 2 ** 100")}        a line of Python; the session stays alive`,
    `  ${style.bold(tour.padEnd(22))}  (in your shell) a tour whose code really runs`,
  ];
}

function count(models: number): string {
  return models === 1 ? "a model" : `${models} models`;
}
