import { type Evidence, type Exchange, exchangesOf, type ProbeName } from "../evidence.ts";
import { notReached, type Verdict } from "../verdict.ts";

/** One rule, made something that can be looked for. Pure: evidence in, verdict out. */
export type Check = {
  readonly rule: string;
  /** What must be asked for it. */
  readonly probes: readonly ProbeName[];
  readonly judge: (evidence: Evidence) => Verdict;
};

/** A check on the exchanges of its probes; not reached where none of them took place. */
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

/** The same, on a probe that is one exchange. */
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

/** "POST …/sync", for reasons. */
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

/** Judges several exchanges: the first defect counts, then the first that showed anything. */
export function worstOf(verdicts: readonly Verdict[]): Verdict {
  return (
    verdicts.find(({ verdict }) => verdict === "fail") ??
    verdicts.find(({ verdict }) => verdict === "pass") ??
    verdicts[0] ??
    notReached("nothing was seen that could tell")
  );
}
