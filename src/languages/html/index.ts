// HTML and React: pages shown as a picture to the model and the person, drawn by the browser that is installed here.

import { howToInstall } from "../how-to-install.ts";
import type { Language } from "../language.ts";
import { findBrowser } from "./find-browser.ts";

const missing = () =>
  howToInstall("Chromium, or a browser made from it,", {
    apt: "chromium",
    brew: "--cask google-chrome",
    winget: "Google.Chrome",
  });

export const html: Language = {
  name: "html",
  aliases: ["htm", "xhtml", "svg"],
  extension: "html",
  note: "a page, shown as a picture; no network. `react` is JSX with a default export, shown the same way.",
  async available({ env }) {
    return findBrowser(env) ? true : missing();
  },
  async start(options) {
    const { PageSession } = await import("./page-session.ts");
    return new PageSession(options, findBrowser(options.env), missing());
  },
};

export const react: Language = {
  name: "react",
  aliases: ["jsx", "tsx"],
  extension: "jsx",
  offered: false,
  available: html.available,
  async start(options) {
    const { ReactSession } = await import("./react-session.ts");
    // Both show pages, in one browser.
    const shared = await options.sibling?.("html");
    return new ReactSession(shared ?? (await html.start(options)), shared === undefined);
  },
};
