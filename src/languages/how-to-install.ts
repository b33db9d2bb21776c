// Says what to install when a language's program is missing, in the words of the platform.

export interface Packages {
  apt?: string;
  brew?: string;
  winget?: string;
  /** Where people get it when no package manager has it. */
  site?: string;
}

export function howToInstall(title: string, packages: Packages, platform = process.platform): string {
  const command =
    platform === "darwin" && packages.brew
      ? `brew install ${packages.brew}`
      : platform === "win32" && packages.winget
        ? `winget install ${packages.winget}`
        : platform === "linux" && packages.apt
          ? `apt install ${packages.apt}, or what your distribution calls it`
          : undefined;
  const how = command ?? (packages.site ? `see ${packages.site}` : undefined);
  return `${title} is not installed here.${how ? ` To get it: ${how}.` : ""}`;
}
