// A Jupyter Server, Kernel Gateway or Enterprise Gateway: its address, and its REST API with every failure in plain words.

export interface Server {
  /** Ends with a slash; holds neither token nor query. */
  base: URL;
  token: string | undefined;
}

/** The machine cannot be used. The message says why and never holds the token; the hint says what to do. */
export class MachineError extends Error {
  override name = "MachineError";
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

export function readServer(address: string): Server {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new MachineError("The machine is not a web address.", "For example: --machine https://host:8888/?token=…");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new MachineError(
      `The machine's address begins with ${url.protocol}//, not with http:// or https://.`,
      "For example: --machine https://host:8888/?token=…",
    );
  }
  // People copy the address of the page they look at; the API is beside it.
  const path = url.pathname.replace(/\/(lab|tree|notebooks|doc|api)(\/.*)?$/, "/").replace(/\/*$/, "/");
  return { base: new URL(path, url.origin), token: url.searchParams.get("token") || undefined };
}

/** Asks the server. Rejects with a `MachineError`; `missing` is what the answer is when there is no such thing. */
export async function askServer<T>(
  server: Server,
  method: "GET" | "POST" | "DELETE",
  path: string,
  { body, missing, within = 120_000 }: { body?: unknown; missing?: T; within?: number } = {},
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(new URL(path, server.base), {
      method,
      headers: {
        ...(server.token && { authorization: `token ${server.token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // A server that wants a login sends a page for people; that is a refusal.
      redirect: "manual",
      signal: AbortSignal.timeout(within),
    });
  } catch (error) {
    throw new MachineError(
      `The Jupyter server at ${server.base.host} could not be reached (${reasonOf(error)}).`,
      "Is it running, and is the address right?",
    );
  }
  if (response.status === 404 && missing !== undefined) return missing;
  if (response.status === 401 || response.status === 403 || (response.status >= 300 && response.status < 400)) {
    throw new MachineError(
      server.token
        ? `The Jupyter server at ${server.base.host} does not accept the token.`
        : `The Jupyter server at ${server.base.host} wants a token.`,
      "`jupyter server list` on that machine prints the address with its token: give it to --machine.",
    );
  }
  const text = await response.text().catch(() => "");
  if (!response.ok) throw refusal(server, response.status, text);
  try {
    return (text === "" ? undefined : JSON.parse(text)) as T;
  } catch {
    throw refusal(server, response.status, "its answer is not JSON");
  }
}

function refusal(server: Server, status: number, text: string): MachineError {
  let reason = text.startsWith("<") ? "" : text;
  try {
    reason = String(JSON.parse(text).message ?? text);
  } catch {
    // Then the text is all there is.
  }
  const words = reason.trim().slice(0, 300);
  return new MachineError(
    `The Jupyter server at ${server.base.host} answered with status ${status}${words && `: ${words}`}.`,
    "Is this the address of a Jupyter Server, Kernel Gateway or Enterprise Gateway?",
  );
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: Error & { code?: string } };
  if (name === "TimeoutError") return "it did not answer in time";
  return cause?.code ?? cause?.message ?? message;
}
