// Perl: the person's own, driven by `perl-driver.pl` inside it.

import { drivenLanguage } from "../driven/index.ts";

export const perl = drivenLanguage({
  name: "perl",
  aliases: ["pl"],
  extension: "pl",
  offered: false,
  title: "Perl",
  programs: ["perl"],
  packages: { apt: "perl", brew: "perl", winget: "StrawberryPerl.StrawberryPerl" },
  driver: new URL("./perl-driver.pl", import.meta.url),
  args: (driver) => [driver],
});
