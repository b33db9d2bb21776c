// The page that a block of JSX or TSX becomes: React, the block, and what shows its component.

import { transform } from "sucrase";
import libraries from "./react-libraries.jsx";

/** The page for a block: the default export is shown, or `App`, or the last component. */
export function reactPage(code: string): string {
  const options = { transforms: ["jsx", "typescript", "imports"], jsxRuntime: "classic", production: true } as const;
  const script = transform(code, { ...options, transforms: [...options.transforms] }).code;
  const components = [...code.matchAll(/^(?:export\s+)?(?:function|class|const|let|var)\s+([A-Z]\w*)/gm)].map(
    (match) => match[1]!,
  );
  const shown = components.includes("App") ? "App" : components.at(-1);
  const fallback = shown ? `typeof ${shown} === "undefined" ? undefined : ${shown}` : "undefined";
  return `<!doctype html>
<html>
<head><meta charset="utf-8"><title>React</title></head>
<body>
<div id="root"></div>
<script>${asScript(libraries)}</script>
<script>
(function (require) {
  const exports = {};
${asScript(script)}
  __page.show(exports.default ?? (${fallback}));
})(__page.require);
</script>
</body>
</html>
`;
}

/** Text that cannot end the element it stands in. */
function asScript(text: string): string {
  return text.replace(/<(\/script|!--)/gi, "\\x3C$1");
}
