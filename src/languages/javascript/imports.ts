// Import statements as calls: the same bindings, found at run time from the session's working folder.

import type { AnyNode, ImportAttribute, ImportDeclaration } from "acorn";

/** What stands in the place of an import or re-export; undefined when the node is neither. */
export function rewriteImport(node: AnyNode, lenient: boolean, nameOf: (name: string) => string): string | undefined {
  if (node.type === "ExportAllDeclaration")
    return `await __load(${callArguments(node.source.value, node.attributes)});`;
  if (node.type === "ExportNamedDeclaration") {
    // Exports have nobody to go to; only what is loaded for them matters.
    return node.source ? `await __load(${callArguments(node.source.value, node.attributes)});` : ";";
  }
  if (node.type !== "ImportDeclaration") return undefined;
  const specifier = node.source.value;
  if (node.specifiers.length === 0) return `await __load(${callArguments(specifier, node.attributes)});`;
  const bindings = node.specifiers.map(({ local }) => nameOf(local.name)).join(", ");
  const names = JSON.stringify(node.specifiers.map(exportedName));
  const rest = node.attributes.length > 0 ? `, ${options(node.attributes)}` : "";
  return `void ([${bindings}] = await __load.names(${JSON.stringify(specifier)}, ${names}, ${lenient}${rest}));`;
}

function exportedName(specifier: ImportDeclaration["specifiers"][number]): string {
  if (specifier.type === "ImportDefaultSpecifier") return "default";
  if (specifier.type === "ImportNamespaceSpecifier") return "*";
  return specifier.imported.type === "Identifier" ? specifier.imported.name : String(specifier.imported.value);
}

function callArguments(specifier: unknown, attributes: readonly ImportAttribute[]): string {
  return JSON.stringify(specifier) + (attributes.length > 0 ? `, ${options(attributes)}` : "");
}

function options(attributes: readonly ImportAttribute[]): string {
  const pairs = attributes.map(({ key, value }) => [
    key.type === "Identifier" ? key.name : String(key.value),
    value.value,
  ]);
  return JSON.stringify({ with: Object.fromEntries(pairs) });
}
