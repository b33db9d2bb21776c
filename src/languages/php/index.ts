// PHP: the person's own command-line PHP, driven by `php-driver.php` inside it.

import { drivenLanguage } from "../driven/index.ts";

export const php = drivenLanguage({
  name: "php",
  extension: "php",
  offered: false,
  title: "PHP",
  programs: ["php"],
  packages: { apt: "php-cli", brew: "php", winget: "PHP.PHP.8.4" },
  driver: new URL("./php-driver.php", import.meta.url),
  // Errors are read by people and models, not by browsers, and belong on stderr.
  args: (driver) => ["-d", "display_errors=stderr", "-d", "html_errors=0", "-d", "log_errors=0", driver],
});
