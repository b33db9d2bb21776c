// Where a value comes from, for people and for programs.

export interface Origin {
  from: "default" | "settings" | "profile" | "project" | "environment" | "flag";
  /** The profile, the variable or the flag. */
  name?: string;
  path?: string;
  line?: number;
}

export function originText({ from, name, path, line }: Origin): string {
  const place = path && `${path}${line ? `:${line}` : ""}`;
  if (from === "default") return "default";
  if (from === "profile") return `profile ${name}${place ? ` (${place})` : ""}`;
  return name ?? place ?? from;
}
