// Draws the live sessions and the variables in them as tables.

import type { SessionFacts } from "../languages/index.ts";
import { sanitize } from "./sanitize.ts";

const none = "No session is running yet: one starts with its first block.\n";

export function sessionsTable(sessions: readonly SessionFacts[]): string {
  if (sessions.length === 0) return none;
  return table(
    sessions.map(({ language, version, pid, memory, uptime, busy }) => [
      language,
      version,
      pid === undefined ? "" : `pid ${pid}`,
      memory === undefined ? "" : megabytes(memory),
      uptime === undefined ? "" : duration(uptime),
      busy ? "busy" : "idle",
    ]),
  );
}

export function variablesTable(sessions: readonly SessionFacts[]): string {
  if (sessions.length === 0) return none;
  return sessions
    .map(({ language, variables, note }) => {
      if (!variables) return `${language}: ${note}\n`;
      if (variables.length === 0) return `${language}: no variables yet.\n`;
      const rows = variables.map(({ name, type, size, preview }) => [name, type, size ?? "", preview ?? ""]);
      return `${language}\n${table(rows)}`;
    })
    .join("\n");
}

const widest = [30, 40, 16, 80];

function table(rows: string[][]): string {
  const cells = rows.map((row) => row.map((cell, column) => shorten(sanitize(cell), widest[column] ?? 20)));
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return (
    cells.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ")}`.trimEnd()).join("\n") +
    "\n"
  );
}

function shorten(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

function megabytes(bytes: number): string {
  return `${(bytes / (1 << 20)).toFixed(1)} MB`;
}

function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}
