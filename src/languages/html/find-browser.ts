// Finds a browser that can be driven: Chromium or one made from it.

import { findProgram } from "../find-program.ts";

const onPath = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "microsoft-edge",
  "brave-browser",
];

const applications = ["Google Chrome", "Chromium", "Microsoft Edge", "Brave Browser"].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

export function findBrowser(env: NodeJS.ProcessEnv, platform = process.platform): string | undefined {
  if (platform === "darwin") return findProgram([...applications, ...onPath], env);
  if (platform !== "win32") return findProgram(onPath, env);
  const folders = [env.PROGRAMFILES, env["PROGRAMFILES(X86)"], env.LOCALAPPDATA].flatMap((folder) => folder ?? []);
  const places = [
    "Google\\Chrome\\Application\\chrome.exe",
    "Microsoft\\Edge\\Application\\msedge.exe",
    "Chromium\\Application\\chrome.exe",
  ];
  return findProgram(
    [...places.flatMap((place) => folders.map((folder) => `${folder}\\${place}`)), "chrome", "msedge"],
    env,
  );
}
