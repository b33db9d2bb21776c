// Makes a script out of a CommonJS module: what src/compiled.ts runs, and keeps in its compiled form.
import { createHash } from "node:crypto";
import { parse } from "acorn";

/** A function of what a script has to be given. In plain ASCII: that is read fastest. */
export function asScript(text) {
  const changes = [];
  const tree = parse(text, { ecmaVersion: "latest" });
  for (const node of nodesIn(tree)) {
    if (node.type === "ImportExpression") changes.push([node.start, node.start + "import".length, "__import"]);
    if (node.regex) changes.push([node.start, node.end, node.raw.replace(/[^\0-\x7f]/g, escaped)]);
  }
  checkExports(tree);
  let script = "";
  let at = 0;
  for (const [start, end, changed] of changes.sort(([one], [other]) => one - other)) {
    script += text.slice(at, start) + changed;
    at = end;
  }
  script = `(function (module, require, __import, __address) {"use strict"; ${script}${text.slice(at)}})\n`;
  if (/__toESM\(require\("node:/.test(script)) throw new Error("Import what you need of Node's modules by its name.");
  const other = /.*[^\0-\x7f].*/.exec(script);
  if (other) throw new Error(`core.cjs has to be plain ASCII, and this line is not:\n${other[0]}`);
  return script;
}

/** The module that runs the script and exports what it does. */
export function scriptLoader(script, { compiled, imported, exported }) {
  const version = createHash("sha256").update(script).digest("hex").slice(0, 16);
  return `import { runCompiled } from "./${compiled}";
${imported.map((path, index) => `import * as _${index} from "${path}";\n`).join("")}
export const { ${exported.join(", ")} } = runCompiled(new URL("./core.cjs", import.meta.url), "${version}", {
  files: { ${imported.map((path, index) => `"${path}": _${index}`).join(", ")} },
  load: (name) => import(name),
});
`;
}

/** What is exported is read once, when the script has run: a variable that changes later would stay as it was for those who import it. */
function checkExports(tree) {
  const calls = [...nodesIn(tree)].filter(({ type }) => type === "CallExpression");
  const called = (name) => calls.filter(({ callee }) => callee.name === name).map((call) => call.arguments);
  const exported = new Set(
    called("__export").flatMap(([, { properties }]) => properties.map((each) => each.value.body.name)),
  );
  const first = new Set(called("__esm").flatMap(([parts]) => parts.properties.flatMap((each) => each.value.body.body)));
  const atFirst = new Set([...first].map(({ expression }) => expression));
  for (const node of nodesIn(tree)) {
    const target = node.type === "AssignmentExpression" ? node.left : node.type === "UpdateExpression" && node.argument;
    if (target && exported.has(target.name) && !atFirst.has(node))
      throw new Error(`${target.name} is exported and changes: export a function that reads it.`);
  }
}

function* nodesIn(node) {
  yield node;
  for (const value of Object.values(node))
    for (const each of Array.isArray(value) ? value : [value]) if (each?.type) yield* nodesIn(each);
}

const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
