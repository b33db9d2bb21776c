export { readDotEnv } from "./dot-env.ts";
export {
  type FoundKey,
  findKey,
  forgetKey,
  hasKeyring,
  type KeyOwner,
  type KeyPlace,
  keepKey,
  keptKeys,
  keyFile,
  readKey,
} from "./keys.ts";
