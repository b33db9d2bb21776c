export { readDotEnv } from "./dot-env.ts";
export { keyFile } from "./key-file.ts";
export {
  type FoundKey,
  findKey,
  forgetKey,
  hasKeyring,
  type KeyOwner,
  type KeyPlace,
  keepKey,
  keptKeys,
  readKey,
} from "./keys.ts";
