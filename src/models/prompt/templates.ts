// The person's own words around what a model reads: their messages, what code printed, how code is asked for.

import type { Message } from "../../messages/index.ts";
import codeOutput from "./code-output.md";
import emptyCodeOutput from "./empty-code-output.md";

export interface Templates {
  /** In every dialect. `{content}` is the person's last message. */
  userMessageTemplate?: string | undefined;
  /** Not only the last message. */
  alwaysApplyUserMessageTemplate?: boolean | undefined;
  /** How output is told in the markdown dialect; `{content}` is the output. */
  codeOutputTemplate?: string | undefined;
  /** The same for a block that printed nothing. */
  emptyCodeOutputTemplate?: string | undefined;
  /** `assistant`: output is a block in the model's own message, in the markdown dialect; without the templates. */
  codeOutputSender?: string | undefined;
  /** How code is asked for in the markdown dialect; empty or `none` says nothing about it. */
  executionInstructions?: string | undefined;
}

export const templatesOf = (chosen: Templates): Templates => ({
  userMessageTemplate: chosen.userMessageTemplate,
  alwaysApplyUserMessageTemplate: chosen.alwaysApplyUserMessageTemplate,
  codeOutputTemplate: chosen.codeOutputTemplate,
  emptyCodeOutputTemplate: chosen.emptyCodeOutputTemplate,
  codeOutputSender: chosen.codeOutputSender,
  executionInstructions: chosen.executionInstructions,
});

/** The conversation with the person's messages as the model is to read them. */
export function withUserTemplate(messages: readonly Message[], templates: Templates): readonly Message[] {
  const { userMessageTemplate: template, alwaysApplyUserMessageTemplate: always } = templates;
  if (template === undefined) return messages;
  const last = messages.findLast(isSaid);
  return messages.map((message) =>
    message === last || (always && isSaid(message))
      ? { ...message, content: fill(template, message.content) }
      : message,
  );
}

/** What the person said themselves; remarks of ours are for the model alone. */
const isSaid = ({ role, type, content, recipient }: Message): boolean =>
  role === "user" && type === "message" && recipient === undefined && content.trim() !== "";

export const tellOutput = (output: string, { codeOutputTemplate = codeOutput }: Templates): string =>
  fill(codeOutputTemplate, output).trim();

export const tellSilence = ({ emptyCodeOutputTemplate = emptyCodeOutput }: Templates): string =>
  emptyCodeOutputTemplate.trim();

/** Takes the content as it is: a dollar or a brace in it means nothing. */
const fill = (template: string, content: string): string => template.replaceAll("{content}", () => content);
