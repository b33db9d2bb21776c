// `computer.sessions()`: the live sessions, what they use, and the names in them.

import { computerFunction, flag, type Module, optional } from "../module.ts";

export const sessions: Module = {
  name: "sessions",
  help: "lists the live sessions: language, version, pid, memory, uptime, variables",
  functions: {
    "": computerFunction(
      "Lists the live sessions. memory is in bytes, uptime in seconds; variables have name, type, size and preview.",
      { variables: optional(flag, true) },
      ({ variables }, context) => context.sessions.describe({ variables }),
    ),
  },
};
