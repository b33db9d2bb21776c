export { isPicture, maskBundle, maskMessage } from "./secrets/messages.ts";
export { type Mask, type MaskedStream, Secrets } from "./secrets/secrets.ts";
