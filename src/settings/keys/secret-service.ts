// Linux: the Secret Service (GNOME Keyring, KWallet, KeePassXC …) by way of libsecret's `secret-tool`.

import { type Keyring, service } from "./keyring.ts";
import { runWithInput } from "./run-with-input.ts";

export function secretService(env: NodeJS.ProcessEnv): Keyring {
  // The system's own first: one in the environment of a project may be what code has made of it.
  const PATH = `/usr/bin:/bin:${env.PATH ?? ""}`;
  const run = (args: string[], input?: string) => runWithInput("secret-tool", args, { ...env, PATH }, input);
  const at = (account: string) => ["service", service, "account", account];
  return {
    async read(account) {
      const { code, stdout, complaint } = await run(["lookup", ...at(account)]);
      if (code === 0) return stdout.trim() || undefined;
      if (complaint === "") return undefined;
      throw new Error(complaint);
    },
    async write(account, label, key) {
      const { code, complaint } = await run(["store", `--label=Open Interpreter: ${label}`, ...at(account)], key);
      if (code !== 0) throw new Error(complaint);
    },
    async remove(account) {
      const { code, complaint } = await run(["clear", ...at(account)]);
      if (code !== 0 && complaint !== "") throw new Error(complaint);
    },
  };
}
