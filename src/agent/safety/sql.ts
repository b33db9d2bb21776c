// Statements of SQL that take away: found by their words, with comments and quoted texts put aside.

import type { See } from "./act.ts";
import { gap } from "./value.ts";

const quoted = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:''|[^'])*'|\$(\w*)\$[\s\S]*?\$\1\$/g;

export function readSql(code: string, see: See): void {
  // Each becomes as many line breaks as it had, so that lines keep their numbers.
  const bare = code.replace(quoted, (text) => (/^(--|\/\*)/.test(text) ? " " : "''") + text.replace(/[^\n]/g, ""));
  let at = 0;
  for (const statement of bare.split(";")) {
    const start = at + statement.search(/\S|$/);
    const line = bare.slice(0, start).split("\n").length;
    at += statement.length + 1;
    const words = statement.replaceAll(gap, "x").replace(/\s+/g, " ").trim();
    const drop =
      /^(?:explain )?drop (database|schema|table|view|index|user|role|materialized view) (?:if exists )?([\w."`[\]]+)/i.exec(
        words,
      );
    if (drop) see({ type: "sql", verb: `drop ${drop[1]!.toLowerCase()}`, what: drop[2]!, line });
    const alter = /^alter table ([\w."`[\]]+) drop (?:column )?/i.exec(words);
    if (alter) see({ type: "sql", verb: "drop column", what: alter[1]!, line });
    const truncate = /^truncate (?:table )?([\w."`[\]]+)/i.exec(words);
    if (truncate) see({ type: "sql", verb: "truncate", what: truncate[1]!, line });
    const changed = /^(?:with .*\) ?)?(delete from|update) (?:only )?([\w."`[\]]+)/i.exec(words);
    if (changed && !/\bwhere\b/i.test(words) && (/^delete/i.test(changed[1]!) || /\bset\b/i.test(words)))
      see({ type: "sql", verb: changed[1]!.split(" ")[0]!.toLowerCase(), what: changed[2]!, line });
  }
}
