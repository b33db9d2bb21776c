// What the system says when it refuses, in words that end a sentence.

const words: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EACCES: "permission was denied",
  EPERM: "permission was denied",
  EROFS: "the disk can only be read",
  EBUSY: "it is in use by the system",
  ENAMETOOLONG: "its name is too long for that disk",
  EMFILE: "too many files are open",
  EIO: "the disk reports an error",
  EFBIG: "it is too large for that disk",
  ETXTBSY: "it is a program that runs",
};

/** "permission was denied (/folder/file)" */
export function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path, dest } = error as NodeJS.ErrnoException & { dest?: string };
  const said = words[code ?? ""];
  if (said === undefined) return error.message.replace(/\.$/, "");
  const where = [path, dest].filter((each) => each !== undefined).join(" to ");
  return code === "ENOSPC" || where === "" ? said : `${said} (${where})`;
}
