// Whether code may do something: of all rules that speak of it the strictest holds; where none does, what holds by default.

import { type Host, placeOf, readHost } from "./host.ts";
import { namesExactly, readHostPattern } from "./host-pattern.ts";
import { absolute, isBelow, type PathPlaces, realPath } from "./path-pattern.ts";
import { type Judgement, originOf, type Rule, ruleText, type Subject, type Verdict } from "./rule.ts";

export interface JudgeRequest {
  rules: readonly Rule[];
  places: PathPlaces;
  /** Our own folders: settings and rules, and what is kept of conversations. */
  own: readonly string[];
}

export function judge(subject: Subject, request: JudgeRequest): Judgement {
  const speaking = request.rules.filter((rule) => rule.covers(subject));
  const strictest = (verdict: Verdict): Judgement | undefined => {
    const rule = speaking.find((each) => each.verdict === verdict);
    return (
      rule && { verdict, because: rule.because ?? `there is a rule: ${ruleText(rule)}`, rule: originOf(rule.origin) }
    );
  };
  const denied = strictest("deny") ?? never(subject, request, speaking);
  if (denied) return denied;
  const asked = strictest("ask");
  if (asked) return asked;
  const allowed = strictest("allow");
  if (allowed && !leadsElsewhere(subject, speaking)) return allowed;
  return byDefault(subject, request);
}

/** What stays forbidden unless it is named by its very address, or whatever is said. */
function never(subject: Subject, { places, own }: JudgeRequest, speaking: readonly Rule[]): Judgement | undefined {
  if (subject.kind === "write") {
    const path = realPath(absolute(subject.path, places));
    const ours = own.some((folder) => isBelow(path, realPath(folder)));
    return ours
      ? {
          verdict: "deny",
          because: "code never writes where Open Interpreter keeps its settings, rules and conversations",
        }
      : undefined;
  }
  if (subject.kind !== "host") return undefined;
  const host = readHost(subject.host);
  if (!host) return { verdict: "deny", because: `${JSON.stringify(subject.host)} is no host` };
  const forbidden = [host, ...resolved(subject)].filter((each) => placeOf(each) === "forbidden");
  if (forbidden.length === 0 || forbidden.every((each) => speaking.some((rule) => allowsExactly(rule, each))))
    return undefined;
  return {
    verdict: "deny",
    because: "at such addresses clouds hand out keys to whoever asks; only a rule with the address itself allows one",
  };
}

const allowsExactly = ({ verdict, pattern }: Rule, host: Host): boolean =>
  verdict === "allow" && namesExactly(readHostPattern(pattern, ""), host);

const resolved = ({ addresses = [] }: Extract<Subject, { kind: "host" }>): Host[] =>
  addresses.flatMap((address) => readHost(address) ?? []);

/** A name that is allowed and turns out to mean this machine, or one that only `*` allows and that means a private network. */
function leadsElsewhere(subject: Subject, speaking: readonly Rule[]): boolean {
  if (subject.kind !== "host") return false;
  const host = readHost(subject.host);
  const places = resolved(subject).map(placeOf);
  const named = speaking.some(({ verdict, pattern }) => verdict === "allow" && !/^\*(:\d+)?$/.test(pattern));
  return (
    (places.includes("here") && host !== undefined && placeOf(host) !== "here") ||
    (places.includes("private") && !named)
  );
}

function byDefault(subject: Subject, { places }: JudgeRequest): Judgement {
  if (subject.kind === "host") {
    const found = [readHost(subject.host)!, ...resolved(subject)].map(placeOf);
    if (found.includes("here"))
      return { verdict: "ask", because: "it is a port of this machine, and no rule allows it" };
    if (found.includes("private"))
      return { verdict: "ask", because: "it is in a private network, and no rule allows it" };
    return { verdict: "ask", because: "no rule speaks of this host" };
  }
  if (subject.kind === "write") {
    const path = realPath(absolute(subject.path, places));
    return isBelow(path, realPath(places.cwd))
      ? { verdict: "allow", because: "it is in the folder you work in" }
      : { verdict: "deny", because: "it is outside of the folder you work in, and no rule allows it" };
  }
  return { verdict: "allow", because: `no rule speaks of this ${subject.kind === "read" ? "path" : subject.kind}` };
}
