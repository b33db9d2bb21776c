// R: the person's own, driven by `r-driver.R` inside it.

import { drivenLanguage } from "../driven/index.ts";

export const r = drivenLanguage({
  name: "r",
  aliases: ["rscript", "rlang"],
  extension: "R",
  title: "R",
  programs: ["Rscript"],
  packages: { apt: "r-base-core", brew: "r", winget: "RProject.R" },
  driver: new URL("./r-driver.R", import.meta.url),
  args: (driver) => ["--no-save", "--no-restore", driver],
  // R cannot use a descriptor it did not open: its driver reads and writes through two small programs.
  posixOnly: true,
  leavesFiles: true,
});
