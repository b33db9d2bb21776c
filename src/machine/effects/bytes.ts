// How large something is.

/** 980 B, 12 kB, 3.4 MB. */
export function bytes(size: number): string {
  if (size < 1_000) return `${size} B`;
  const [value, unit] = size < 1e6 ? [size / 1e3, "kB"] : size < 1e9 ? [size / 1e6, "MB"] : [size / 1e9, "GB"];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}
