// `computer.files`: looking at files, finding things in them, and changing them.

import { edit, write } from "../files/change.ts";
import { list } from "../files/list.ts";
import { read } from "../files/read.ts";
import { find, search } from "../files/search.ts";
import { type Context, computerFunction, flag, type Module, number, optional, text } from "../module.ts";

/** Done here, or inside of the walls that code has where this process would see more than they let it. */
const within =
  <Args extends object>(name: string, call: (args: Args, context: Context) => Promise<unknown>) =>
  async (args: Args, context: Context): Promise<unknown> => {
    if (!(await context.apart())) return call(args, context);
    return (await import("../files/inside.ts")).callInside(name, args as Record<string, unknown>, context);
  };

export const files: Module = {
  name: "files",
  help: "read, search, find, edit, write and list files",
  functions: {
    read: computerFunction(
      "The text of a file, or its lines from start to end (both included, counted from 1).",
      { path: text, start: optional(number), end: optional(number) },
      within("read", read),
    ),
    search: computerFunction(
      `Lines that match a regular expression, in a file or everywhere under a folder: a list of {path, line, text}.
glob limits it to files such as "*.py"; literal takes the pattern as plain text; case=false ignores case.
What .gitignore names, .git and node_modules are left out.`,
      {
        pattern: text,
        path: optional(text, "."),
        glob: optional(text),
        literal: optional(flag, false),
        case: optional(flag, true),
        limit: optional(number, 200),
      },
      within("search", search),
    ),
    find: computerFunction(
      `Files by name: a list of paths. The pattern is a part of the name, or has wildcards: "*.csv", "src/**/test_?.py".`,
      { pattern: text, path: optional(text, "."), limit: optional(number, 1000) },
      within("find", find),
    ),
    edit: computerFunction(
      `Replaces text that is in the file exactly as given, white space included, and returns the change as a diff.
The text must be there count times; otherwise nothing changes and the error says what is there.`,
      { path: text, old: text, new: text, count: optional(number, 1) },
      within("edit", edit),
    ),
    write: computerFunction(
      "Writes a whole file, with its folders where they are missing, and returns the change as a diff.",
      { path: text, text },
      within("write", write),
    ),
    list: computerFunction(
      "What is in a folder: a list of {name, type, size, modified}.",
      { path: optional(text, ".") },
      within("list", list),
    ),
  },
};
