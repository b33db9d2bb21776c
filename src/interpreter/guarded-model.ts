// A model that is told nothing it must not know: secrets are masked, and values that are never to be sent are hidden, in everything
// that is said to it. This is the one place that every request passes.

import type { Message } from "../messages/index.ts";
import type { Model, ModelEvent, ModelRequest } from "../models/index.ts";
import { isPicture, type Mask, type NeverSend } from "../privacy/index.ts";

export interface Guards {
  secrets: Mask;
  neverSend: NeverSend;
}

/** The same model, asked without what must not be sent. */
export function guardedModel(model: Model, guards: Guards): Model {
  const guarded = new WeakMap<Message, { content: string; message: Message }>();

  /** A message that is complete stays as it is, and is looked at once. */
  function withoutSecrets(message: Message): Message {
    // What a provider has sealed goes back to it as it came.
    if (isPicture(message) || (message.type === "reasoning" && message.provider)) return message;
    const before = guarded.get(message);
    if (before?.content === message.content && !guards.secrets.changed(before.message)) return before.message;
    const content = guards.secrets.mask(message.content);
    const made = content === message.content ? message : { ...message, content };
    guarded.set(message, { content: message.content, message: made });
    return made;
  }

  async function* stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const hidden = await guards.neverSend.hide(request.messages);
    const messages = hidden.map(withoutSecrets);
    yield* model.stream({ ...request, system: guards.secrets.mask(request.system), messages });
  }

  return {
    id: model.id,
    get dialect() {
      return model.dialect;
    },
    ...(model.facts && { facts: () => model.facts!() }),
    ...(model.close && { close: () => model.close!() }),
    stream,
  };
}
