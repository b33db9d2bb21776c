// Julia: the person's own, driven by `julia-driver.jl` inside it.

import { drivenLanguage } from "../driven/index.ts";

export const julia = drivenLanguage({
  name: "julia",
  aliases: ["jl"],
  extension: "jl",
  title: "Julia",
  programs: ["julia"],
  packages: { brew: "julia", winget: "Julialang.Julia", site: "https://julialang.org/downloads" },
  driver: new URL("./julia-driver.jl", import.meta.url),
  args: (driver) => ["--color=no", "--handle-signals=yes", driver],
});
