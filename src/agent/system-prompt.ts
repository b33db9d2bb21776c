// The system message: the same bytes for the whole conversation, so that providers can cache it.

import { arch, platform, release, userInfo } from "node:os";
import type { Language } from "../languages/index.ts";
import { type LoopMode, loopInstructions } from "./loop-mode.ts";
import base from "./system-prompt.md";

export interface PromptRequest {
  /** Replaces our own text. */
  systemMessage?: string;
  customInstructions?: string;
  /** More of them: of the profile, of the project. */
  instructions?: readonly string[];
  languages: readonly Language[];
  cwd: string;
  /** What the default shell is called, and which Python was found, in a few words. */
  facts?: readonly string[];
  loop?: LoopMode | undefined;
}

export function systemPrompt(request: PromptRequest): string {
  const notes = request.languages.flatMap((language) =>
    language.note ? [`- ${language.name}: ${language.note}`] : [],
  );
  const here = [
    `System: ${systemName()}`,
    `User: ${userName()}`,
    `Working folder: ${request.cwd}`,
    `Languages: ${request.languages.map((language) => language.name).join(", ")}`,
    ...(request.facts ?? []),
    ...notes,
  ];
  const loop = request.loop && loopInstructions(request.loop);
  return [
    request.systemMessage ?? base.trim(),
    here.join("\n"),
    request.customInstructions,
    ...(request.instructions ?? []),
    loop,
  ]
    .filter((part) => part)
    .join("\n\n");
}

function systemName(): string {
  const names: Partial<Record<NodeJS.Platform, string>> = { darwin: "macOS", linux: "Linux", win32: "Windows" };
  return `${names[platform()] ?? platform()} ${release()} ${arch()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}
