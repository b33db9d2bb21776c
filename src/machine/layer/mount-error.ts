// What mount and unshare complain about, without their names and addresses.

export function readMountError(said: string): string {
  const line = said.trim().split("\n")[0] ?? "";
  return line
    .replace(/^(\/\S+\/)?(sh|unshare|mount|umount|nsenter): (\d+: )?(\S+: )?/, "")
    .replace(/\.$/, "")
    .trim();
}
