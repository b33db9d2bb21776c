// How things are measured here: several runs, the least disturbed one counts, and everything beside its floor.

export interface Row {
  what: string;
  /** Ours. */
  value: number;
  unit: "ms" | "MB" | "bytes" | "MB/s";
  /** What it is measured against, in the same run. */
  floor?: { what: string; value: number };
  /** The budget, in the unit, or as a multiple of the floor. */
  budget?: { value: number } | { times: number };
}

/** The smallest of several measurements: the one least disturbed by everything else on the machine. */
export async function least(times: number, measure: () => Promise<number> | number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < times; run++) best = Math.min(best, await measure());
  return best;
}

export async function timed(action: () => unknown): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

export function format(row: Row): string {
  const show = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(value < 1 ? 3 : 1));
  const cells = [row.what, `${show(row.value)} ${row.unit}`];
  if (row.floor)
    cells.push(`${row.floor.what}: ${show(row.floor.value)}`, `${(row.value / row.floor.value).toFixed(2)} ×`);
  else cells.push("", "");
  cells.push(row.budget ? budgetCell(row) : "");
  return `| ${cells.join(" | ")} |`;
}

function budgetCell(row: Row): string {
  const budget = row.budget!;
  const limit = "times" in budget ? (row.floor?.value ?? 0) * budget.times : budget.value;
  const words = "times" in budget ? `${budget.times} ×` : `${budget.value} ${row.unit}`;
  const within = row.unit === "MB/s" ? row.value >= limit : row.value <= limit;
  return `${words} ${within ? "✓" : "over"}`;
}
