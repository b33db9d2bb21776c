// What the system's keyring can do for us, whichever system it is.

/** Keys by account, which is the name of a provider. Each function rejects with a sentence when the keyring cannot be used. */
export interface Keyring {
  /** Undefined when it has none. */
  read(account: string): Promise<string | undefined>;
  write(account: string, label: string, key: string): Promise<void>;
  remove(account: string): Promise<void>;
}

/** Under which our keys stand in it. */
export const service = "open-interpreter";
