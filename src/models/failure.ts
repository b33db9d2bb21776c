// Turns whatever a provider or the network threw into a failure a person can read, and says whether to try again.

import { EmbeddedProblem } from "./embedded/problem.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Fault, readFault } from "./fault.ts";
import { refusedThinking } from "./refused-thinking.ts";
import type { FailureKind, ModelFailure } from "./types.ts";

export interface Verdict {
  failure: ModelFailure;
  /** The same request may succeed later. */
  again: boolean;
  /** Milliseconds the server asks us to wait. */
  wait?: number;
  /** The server has no tools for this model: the markdown dialect may work. */
  noTools?: boolean;
  /** The server refuses what was said of thinking: how hard to do it, or what was thought before. It may answer without. */
  refuses?: "effort" | "thoughts";
}

const patterns = {
  noTools:
    /(?:not|n't) support (?:the )?(?:use of )?(?:tools?|functions?|tool[ _-]?(?:call|use|choice)|function[ _-]?call)|tools?\W?(?: use| calling| choice)? (?:is|are) (?:not|un)\s?(?:supported|available)|support tool use|unsupported[^.]{0,40}(?:tools|function)|(?:unknown|unrecognized|extra|unexpected)[^.]{0,40}\btools\b|\btools\b[^.]{0,40}(?:not (?:permitted|allowed)|extra)|tool choice requires|requires --jinja/i,
  context:
    /context[ _-]?(?:length|window|size)|maximum context|too many (?:input )?tokens|(?:prompt|input|request) is too (?:long|large)|reduce the length|token (?:count|limit)[^.]{0,40}exceed|exceeds? the (?:maximum|model)[^.]{0,40}tokens?|request_too_large/i,
  quota:
    /insufficient[ _]quota|exceeded your current quota|billing|credit balance|payment required|out of credits|spend(?:ing)? limit/i,
  key: /(?:invalid|incorrect|missing|no) (?:x-)?api[ -_]?key|api[ _-]?key not valid|unauthorized|authentication/i,
};

export function judgeFailure(error: unknown, endpoint: Endpoint): Verdict {
  if (error instanceof EmbeddedProblem) return { failure: error.failure, again: false, noTools: error.noTools };
  const fault = readFault(error);
  const text = `${fault.message} ${fault.body}`;
  const verdict = byNetwork(fault, endpoint) ?? byText(fault, text, endpoint) ?? byStatus(fault, endpoint);
  const refuses = refusedThinking(fault.status, text);
  return { ...verdict, ...(refuses ? { refuses } : {}), failure: mask(verdict.failure, endpoint) };
}

/** The reply broke off after something of it was shown. */
export function cutOff(endpoint: Endpoint, why: ModelFailure): ModelFailure {
  return mask(
    {
      kind: "cut-off",
      message: `The reply of ${inSentence(endpoint)} broke off: ${lowerFirst(why.message)}`,
      hint: "What came before is kept; ask it to go on.",
      ...(why.status === undefined ? {} : { status: why.status }),
    },
    endpoint,
  );
}

export const endedEarly = (endpoint: Endpoint): Verdict => ({
  failure: {
    kind: "cut-off",
    message: `${endpoint.label} ended its reply without finishing it.`,
    hint: "Try again; if it goes on, the server may be overloaded or out of memory.",
  },
  again: true,
});

function byNetwork(fault: Fault, endpoint: Endpoint): Verdict | undefined {
  if (fault.status !== undefined || fault.network === undefined) {
    return fault.garbled ? garbled(endpoint) : fault.ended ? endedEarly(endpoint) : undefined;
  }
  const { origin } = new URL(endpoint.baseUrl);
  const message: Record<NonNullable<Fault["network"]>, string> = {
    refused: `Nothing answers at ${origin}.`,
    unknown: `The host of ${origin} cannot be found.`,
    timeout: `${endpoint.label} did not answer in time.`,
    broken: `The connection to ${origin} broke.`,
    untrusted: `The certificate of ${origin} is not trusted.`,
  };
  const start = endpoint.provider?.start;
  const isLocal = /^https?:\/\/(?:127\.|localhost|\[::1\])/.test(origin);
  const hint =
    fault.network === "refused" && start
      ? `${start}, or pass its address with --api_base.`
      : isLocal
        ? "Start the server, or pass the right address with --api_base."
        : "Check the network connection and the address.";
  const again = fault.network !== "unknown" && fault.network !== "untrusted";
  return { failure: { kind: "connection", message: message[fault.network], hint }, again };
}

const garbled = (endpoint: Endpoint): Verdict => ({
  failure: {
    kind: "unknown",
    message: `${endpoint.label} sent something that is not a model's reply.`,
    hint: "Check that --api_base leads to the API of a model server.",
  },
  again: true,
});

function byText(fault: Fault, text: string, endpoint: Endpoint): Verdict | undefined {
  const { status } = fault;
  if (status !== undefined && status !== 401 && status !== 403 && status !== 429 && patterns.noTools.test(text))
    return {
      ...refused(
        "bad-request",
        fault,
        `${endpoint.label} offers no tool calls with ${endpoint.name}.`,
        "Code is asked for in markdown instead.",
      ),
      noTools: true,
    };
  if (status === 413 || (status !== 429 && patterns.context.test(text)))
    return withDetail(
      refused(
        "context-window",
        fault,
        `The conversation is longer than ${endpoint.name} can read.`,
        "Start a new conversation with %reset, or choose a model with a larger context window.",
      ),
      fault.message,
    );
  if (status === 402 || patterns.quota.test(text))
    return refused(
      "quota",
      fault,
      `The quota or credit at ${inSentence(endpoint)} is used up.`,
      "Check the plan and billing of the account, or choose another model.",
    );
  return undefined;
}

function byStatus(fault: Fault, endpoint: Endpoint): Verdict {
  const { label, name } = endpoint;
  const { status = 0 } = fault;
  const code = status ? ` (${status})` : "";
  const said = fault.message ? `: ${short(fault.message)}` : ".";
  if (status === 401 || status === 403 || (status === 400 && patterns.key.test(fault.message)))
    return refused("authentication", fault, `${label} did not accept the API key${code}.`, keyHint(endpoint));
  if (status === 404)
    return refused(
      "not-found",
      fault,
      `${label} does not know the model ${name} at ${endpoint.baseUrl} (404).`,
      notFoundHint(endpoint),
    );
  if (status === 429)
    return retried(
      "rate-limit",
      fault,
      `${label} is getting too many requests${code}.`,
      "Wait a little, or choose another model.",
    );
  // 424 is how Bedrock says that the model broke off.
  if (status >= 500 || status === 408 || status === 409 || status === 424 || fault.overloaded)
    return retried(
      "overloaded",
      fault,
      `${label} failed to answer${code}${said}`,
      "Try again in a moment, or choose another model.",
    );
  if (status >= 400)
    return refused(
      "bad-request",
      fault,
      `${label} refused the request${code}${said}`,
      "Check the model's name and the settings of this profile.",
    );
  return retried(
    "unknown",
    fault,
    `${label} reported an error${said}`,
    "Try again; if it goes on, choose another model.",
  );
}

const refused = (kind: FailureKind, fault: Fault, message: string, hint: string): Verdict => ({
  failure: { kind, message, hint, ...(fault.status ? { status: fault.status } : {}) },
  again: false,
});

const withDetail = (verdict: Verdict, detail: string): Verdict => ({
  ...verdict,
  failure: { ...verdict.failure, detail: short(detail) },
});

const retried = (kind: FailureKind, fault: Fault, message: string, hint: string): Verdict => ({
  failure: { kind, message, hint, ...(fault.status ? { status: fault.status } : {}) },
  again: true,
  ...(fault.wait === undefined ? {} : { wait: fault.wait }),
});

function keyHint(endpoint: Endpoint): string {
  const variable = endpoint.provider?.keyVariables[0];
  return variable ? `Check ${variable} or pass --api_key.` : "Pass the right key with --api_key.";
}

function notFoundHint(endpoint: Endpoint): string {
  if (endpoint.provider?.name === "ollama")
    return `Fetch it with \`ollama pull ${endpoint.name}\`, or see \`ollama list\`.`;
  return "Check the model's name, and the address if you gave one.";
}

const inSentence = (endpoint: Endpoint): string => endpoint.label.replace(/^The /, "the ");
const lowerFirst = (text: string): string =>
  /^(The|Nothing) /.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text;

function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const cut = line.length > 300 ? `${line.slice(0, 300)}…` : line;
  return /[.!?…]$/.test(cut) ? cut : `${cut}.`;
}

/** Providers sometimes echo the key; it must not reach a screen or a log. */
function mask(failure: ModelFailure, endpoint: Endpoint): ModelFailure {
  const { apiKey, credentials = {} } = endpoint;
  const secrets = [apiKey, credentials.secretAccessKey ?? "", credentials.sessionToken ?? ""];
  const hide = (text: string): string => {
    let hidden = text;
    for (const secret of secrets) if (secret.length > 5) hidden = hidden.replaceAll(secret, "***");
    return hidden.replace(/\b(?:sk|gsk|xai|pplx|nvapi|hf|AIza)[-_]?[\w-]{12,}/g, "***");
  };
  const { detail } = failure;
  return {
    ...failure,
    message: hide(failure.message),
    hint: hide(failure.hint),
    ...(detail === undefined ? {} : { detail: hide(detail) }),
  };
}
