// Bundles a script and the libraries it imports for a browser: the build and the tests use the same.
import { delimiter } from "node:path";
import { build } from "esbuild";

/** The script as text; empty where a library is not installed. */
export async function bundlePage(path) {
  try {
    const { outputFiles } = await build({
      entryPoints: [path],
      bundle: true,
      nodePaths: process.env.NODE_PATH?.split(delimiter) ?? [],
      write: false,
      minify: true,
      format: "iife",
      platform: "browser",
      target: "es2022",
      define: { "process.env.NODE_ENV": '"production"' },
      legalComments: "inline",
      logLevel: "silent",
    });
    return outputFiles[0].text;
  } catch (error) {
    if (!/Could not resolve/.test(error.message)) throw error;
    console.warn(`${path} was left out: ${error.message.split("\n")[1] ?? error.message}`);
    return "";
  }
}
