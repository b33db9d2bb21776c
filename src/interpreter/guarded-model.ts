// A model that is told nothing it must not know: secrets are masked, and values that are never to be sent are hidden, in everything
// that is said to it. This is the one place that every request passes.

import type { Message } from "../messages/index.ts";
import type { Model, ModelEvent, ModelRequest } from "../models/index.ts";
import { isPicture, type Mask, type NeverSend } from "../privacy/index.ts";

export interface Guards {
  secrets: Mask;
  neverSend: NeverSend;
}

/** Makes of a model one that is asked without what must not be sent. */
export function createGuard({ secrets, neverSend }: Guards): (model: Model) => Model {
  const guarded = new WeakMap<Message, { content: string; version: number; message: Message }>();

  /** A message that is complete stays as it is, and is looked at once. */
  function withoutSecrets(message: Message, version: number): Message {
    // What a provider has sealed goes back to it as it came.
    if (isPicture(message) || (message.type === "reasoning" && message.provider)) return message;
    const { content } = message;
    const before = guarded.get(message);
    if (before?.content === content && before.version === version) return before.message;
    const masked = secrets.mask(content);
    const made = masked === content ? message : { ...message, content: masked };
    guarded.set(message, { content, version, message: made });
    return made;
  }

  async function* ask(model: Model, request: ModelRequest): AsyncGenerator<ModelEvent> {
    const hidden = await neverSend.hide(request.messages);
    const version = secrets.version();
    const messages = hidden.map((message) => withoutSecrets(message, version));
    yield* model.stream({ ...request, system: secrets.mask(request.system), messages });
  }

  return (model) => ({
    id: model.id,
    get dialect() {
      return model.dialect;
    },
    ...(model.facts && { facts: () => model.facts!() }),
    ...(model.close && { close: () => model.close!() }),
    stream: (request) => ask(model, request),
  });
}
