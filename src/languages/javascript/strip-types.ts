// TypeScript to JavaScript, line by line: types go, enums and parameter properties are written out.

import { transform } from "sucrase";
import { BlockSyntaxError } from "./block-syntax-error.ts";

export function stripTypes(code: string): { text: string; map: string } | BlockSyntaxError {
  try {
    const { code: text, sourceMap } = transform(code, {
      transforms: ["typescript"],
      disableESTransforms: true,
      keepUnusedImports: true, // a later block may use them
      filePath: "block.ts",
      sourceMapOptions: { compiledFilename: "block.js" },
    });
    return { text, map: sourceMap?.mappings ?? "" };
  } catch (error) {
    return BlockSyntaxError.from(error, code, 1);
  }
}
