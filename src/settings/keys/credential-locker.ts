// Windows: the credential locker by way of the PowerShell that every Windows brings.

import { join } from "node:path";
import { type Keyring, service } from "./keyring.ts";
import { runWithInput } from "./run-with-input.ts";

const open = `
$ErrorActionPreference = 'Stop'
$null = [Windows.Security.Credentials.PasswordVault, Windows.Security.Credentials, ContentType = WindowsRuntime]
$vault = New-Object Windows.Security.Credentials.PasswordVault
function Find($account) { try { $vault.Retrieve('${service}', $account) } catch { $null } }
`;

export function credentialLocker(env: NodeJS.ProcessEnv): Keyring {
  const powershell = join(env.SystemRoot ?? "C:\\Windows", "System32", "WindowsPowerShell", "v1.0", "powershell.exe");
  async function run(script: string, input?: string): Promise<string> {
    const encoded = Buffer.from(open + script, "utf16le").toString("base64");
    const args = ["-NoProfile", "-NonInteractive", "-OutputFormat", "Text", "-EncodedCommand", encoded];
    const { code, stdout, complaint } = await runWithInput(powershell, args, env, input);
    if (code === 0) return stdout.trim();
    throw new Error(complaint.split("\n")[0] || "PowerShell could not open it");
  }
  return {
    read: async (account) =>
      (await run(`$c = Find '${account}'; if ($c) { $c.RetrievePassword(); [Console]::Out.Write($c.Password) }`)) ||
      undefined,
    write: async (account, _label, key) => {
      const secret = "[Console]::In.ReadToEnd().Trim()";
      const credential = `New-Object Windows.Security.Credentials.PasswordCredential('${service}', '${account}', $secret)`;
      await run(`$secret = ${secret}; $vault.Add((${credential}))`, key);
    },
    remove: async (account) => {
      await run(`$c = Find '${account}'; if ($c) { $vault.Remove($c) }`);
    },
  };
}
