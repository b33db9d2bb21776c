// Ruby: the person's own, driven by `ruby-driver.rb` inside it.

import { drivenLanguage } from "../driven/index.ts";

export const ruby = drivenLanguage({
  name: "ruby",
  aliases: ["rb", "irb"],
  extension: "rb",
  title: "Ruby",
  programs: ["ruby"],
  packages: { apt: "ruby", brew: "ruby", winget: "RubyInstallerTeam.Ruby.3.4" },
  driver: new URL("./ruby-driver.rb", import.meta.url),
  args: (driver) => [driver],
});
