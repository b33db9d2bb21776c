// How PowerShell is started and given a block: as base64 in one line, so that no character of it can be misread and the
// line is complete when it arrives. The block runs in the scope of the session, so that its variables stay.

import type { CustomLanguage } from "../../settings/index.ts";

export function powershellCommand(program: string): Omit<CustomLanguage, "name"> {
  return {
    title: "PowerShell",
    extension: "ps1",
    run: "repl",
    command: [program, "-NoLogo", "-NoProfile", "-NonInteractive", "-Command", "-"],
    setup:
      "$ProgressPreference = 'SilentlyContinue'; $OutputEncoding = [Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)",
    block: [
      "$global:LASTEXITCODE = 0; try { . ([ScriptBlock]::Create(",
      "[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('{base64}')))) | Out-Default;",
      "$global:__status = $global:LASTEXITCODE }",
      "catch { [Console]::Error.WriteLine(($_ | Out-String).TrimEnd()); $global:__status = 1 }",
    ].join(" "),
    end: "[Console]::Out.WriteLine('{end}:' + [int]$global:__status)",
  };
}
