// The command: what is said about a start that went wrong, and the one answer that needs nothing else.

import { version } from "./version.ts";

export async function main(args: readonly string[], name: "interpreter" | "i" | "wtf"): Promise<number> {
  if (args.length === 1 && args[0] === "--version") {
    process.stdout.write(`Open Interpreter ${version}\n`);
    return 0;
  }
  try {
    const { start } = await import("./start.ts");
    return await start(args, name);
  } catch (error) {
    if (isRefusal(error)) {
      process.stderr.write(
        `${error.message}\nCheck the permissions of that place, or set INTERPRETER_HOME to another.\n`,
      );
      return 1;
    }
    if (!isPlain(error)) throw error;
    process.stderr.write(`${error.message}\n${error.hint ? `${error.hint}\n` : ""}`);
    return 2;
  }
}

/** The system does not let us read or write something. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && /^E(ACCES|PERM|ROFS|NOSPC|DQUOT)$/.test(String((error as { code?: unknown }).code));
}

function isPlain(error: unknown): error is Error & { hint: string } {
  return error instanceof Error && typeof (error as { hint?: unknown }).hint === "string";
}
