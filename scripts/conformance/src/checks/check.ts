import { type Evidence, type Exchange, exchangesOf, type ProbeName } from "../evidence.ts";
import { notReached, type Verdict } from "../verdict.ts";

/** The check of one rule: a pure function from evidence to verdict. */
export type Check = {
  readonly rule: string;
  /** The probes whose exchanges it needs. */
  readonly probes: readonly ProbeName[];
  readonly judge: (evidence: Evidence) => Verdict;
};

/** A check on the exchanges of its probes. "Not reached" if there were none. */
export function check(
  rule: string,
  probes: readonly ProbeName[],
  judge: (exchanges: readonly Exchange[], evidence: Evidence) => Verdict,
): Check {
  return {
    rule,
    probes,
    judge: (evidence) => {
      const exchanges = exchangesOf(evidence, ...probes);
      if (exchanges.length > 0) return judge(exchanges, evidence);
      const leftOut = probes
        .map((probe) => evidence.leftOut.get(probe))
        .find((verdict) => verdict !== undefined);
      return leftOut ?? notReached(hasContact(evidence) ? "the time was up before it" : NO_CONTACT);
    },
  };
}

/** A check on a probe with a single exchange. */
export function checkOne(
  rule: string,
  probe: ProbeName,
  judge: (seen: Exchange, evidence: Evidence) => Verdict,
): Check {
  return check(rule, [probe], ([seen], evidence) =>
    seen === undefined ? notReached("it was not asked") : judge(seen, evidence),
  );
}

export const NO_CONTACT = "the agent does not answer at all";

export function hasContact({ exchanges }: Evidence): boolean {
  return exchanges.some(({ reply }) => reply.kind === "answer");
}

/** The path of an exchange, for the reason of a verdict. */
export function placeOf({ asked }: Exchange): string {
  return PLACES[asked.endpoint];
}

const PLACES = {
  sync: "/agents/run/sync",
  stream: "/agents/run/stream",
  health: "/health",
  ready: "/health/ready",
  card: "/agents/card",
} as const;

/** Combines verdicts: the first failure, else the first pass, else the first of the rest. */
export function worstOf(verdicts: readonly Verdict[]): Verdict {
  return (
    verdicts.find(({ verdict }) => verdict === "fail") ??
    verdicts.find(({ verdict }) => verdict === "pass") ??
    verdicts[0] ??
    notReached("nothing was seen that could tell")
  );
}
