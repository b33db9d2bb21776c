// Why something could not be written, in plain words.

/** Undefined when it is no matter of files: a defect. */
export function whyNotWritten(error: unknown, folder: string): string | undefined {
  const { code, message, path = folder } = error as NodeJS.ErrnoException;
  if (!code || !/^E[A-Z0-9]+$/.test(code)) return undefined;
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return `there is no room left on the disk of ${folder}`;
    case "EFBIG":
      return `a file in ${folder} is as large as the system allows`;
    case "EROFS":
      return `${folder} is on a disk that can only be read`;
    case "EACCES":
    case "EPERM":
      return `there is no permission to write to ${path}`;
    case "ENOTDIR":
    case "EEXIST":
      return `${path} should be in a folder, and a file is in its place`;
    default:
      return message;
  }
}
