// Reads the few facts we act on out of the many shapes an error comes in.

export interface Fault {
  status?: number;
  /** What the server said. */
  message: string;
  /** The body of the refusal. */
  body: string;
  /** What happened below HTTP. */
  network?: "refused" | "unknown" | "timeout" | "broken" | "untrusted";
  /** What came is not in the wire's format. */
  garbled: boolean;
  /** The stream ended before the reply did. */
  ended: boolean;
  overloaded: boolean;
  /** Milliseconds the server asks us to wait. */
  wait?: number;
}

export function readFault(error: unknown): Fault {
  const record = isRecord(error) ? error : {};
  const name = text(record.name);
  const headers = isRecord(record.responseHeaders) ? record.responseHeaders : {};
  const status = statusOf(record);
  const network = networkOf(error);
  const wait = waitOf(headers);
  const body = text(record.responseBody);
  return {
    message:
      messageIn(body) ?? messageIn(record.data) ?? (text(record.message) || (typeof error === "string" ? error : "")),
    body,
    garbled:
      /JSONParse|TypeValidation|InvalidResponseData|EmptyResponse/.test(name) &&
      !/without a finish/.test(text(record.message)),
    ended: /without a finish/.test(text(record.message)),
    overloaded: /overloaded|unavailable|server_error|api_error/i.test(`${text(record.type)} ${text(record.code)}`),
    ...(status === undefined ? {} : { status }),
    ...(network === undefined ? {} : { network }),
    ...(wait === undefined ? {} : { wait }),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Success does not explain an error, so a 2xx is no status here. */
function statusOf(record: Record<string, unknown>): number | undefined {
  for (const candidate of [record.statusCode, record.status, record.code])
    if (typeof candidate === "number" && candidate >= 400 && candidate < 600) return candidate;
  return undefined;
}

/** The server's own sentence, wherever its format keeps it. */
function messageIn(source: unknown): string | undefined {
  let value = source;
  if (typeof source === "string") {
    try {
      value = JSON.parse(source);
    } catch {
      return undefined;
    }
  }
  if (Array.isArray(value)) value = value[0];
  if (!isRecord(value)) return undefined;
  if (typeof value.error === "string") return value.error;
  if (isRecord(value.error) && typeof value.error.message === "string") return value.error.message;
  for (const key of ["message", "detail"]) if (typeof value[key] === "string") return value[key];
  return undefined;
}

const networkCodes: Record<string, Fault["network"]> = {
  ECONNREFUSED: "refused",
  ENOTFOUND: "unknown",
  EAI_AGAIN: "unknown",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  ECONNRESET: "broken",
  EPIPE: "broken",
  EHOSTUNREACH: "refused",
  ENETUNREACH: "refused",
  UND_ERR_SOCKET: "broken",
  DEPTH_ZERO_SELF_SIGNED_CERT: "untrusted",
  SELF_SIGNED_CERT_IN_CHAIN: "untrusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "untrusted",
  CERT_HAS_EXPIRED: "untrusted",
};

/** The code may lie several causes deep, and several addresses may have been tried at once. */
function networkOf(error: unknown, depth = 0): Fault["network"] {
  if (!isRecord(error) || depth > 6) return undefined;
  const code = text(error.code);
  const found = Object.hasOwn(networkCodes, code) ? networkCodes[code] : undefined;
  if (found) return found;
  for (const inner of [error.cause, ...(Array.isArray(error.errors) ? error.errors : [])]) {
    const deeper = networkOf(inner, depth + 1);
    if (deeper) return deeper;
  }
  if (error instanceof Error && /terminated|fetch failed|other side closed|socket hang up/i.test(error.message))
    return "broken";
  return undefined;
}

function waitOf(headers: Record<string, unknown>): number | undefined {
  const exact = Number.parseFloat(text(headers["retry-after-ms"]));
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const value = text(headers["retry-after"]);
  if (!value) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
