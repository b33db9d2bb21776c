// Bundles a script and the libraries it imports for a browser: the build and the tests use the same.
import { build } from "esbuild";

/** The script as text, and the files it was made from. */
export async function bundlePage(path) {
  const { outputFiles, metafile } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    define: { "process.env.NODE_ENV": '"production"' },
    legalComments: "none",
    metafile: true,
    logLevel: "silent",
  });
  return { text: outputFiles[0].text, inputs: metafile.inputs };
}
