// macOS: the login keychain by way of `security`, which takes commands from its input.

import { type Keyring, service } from "./keyring.ts";
import { runWithInput } from "./run-with-input.ts";

/** What `security` says of an item that is not there. */
const missing = 44;

export function keychain(env: NodeJS.ProcessEnv): Keyring {
  const run = (args: string[], input?: string) => runWithInput("/usr/bin/security", args, env, input);
  const read: Keyring["read"] = async (account) => {
    const { code, stdout, complaint } = await run(["find-generic-password", "-s", service, "-a", account, "-w"]);
    if (code === 0) return stdout.trim() || undefined;
    if (code === missing) return undefined;
    throw new Error(complaint);
  };
  return {
    read,
    async write(account, label, key) {
      // In hexadecimal digits nothing of it means anything to the reader of commands.
      const secret = Buffer.from(key, "utf8").toString("hex");
      const command = `add-generic-password -U -s ${service} -a ${account} -l "Open Interpreter: ${label}" -X ${secret}\n`;
      const { complaint } = await run(["-i"], command);
      // Whether a command read from its input went well is not in its exit code.
      if ((await read(account)) !== key) throw new Error(complaint.replaceAll(secret, "***") || "it was not kept");
    },
    async remove(account) {
      const { code, complaint } = await run(["delete-generic-password", "-s", service, "-a", account]);
      if (code !== 0 && code !== missing) throw new Error(complaint);
    },
  };
}
