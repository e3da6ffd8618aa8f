/** What a check found of one rule at one agent. */
export type Verdict =
  | { readonly verdict: "pass" }
  | { readonly verdict: Exclude<VerdictName, "pass">; readonly reason: string };

export const VERDICTS = ["pass", "fail", "needs-inputs", "not-reached", "not-applicable"] as const;
export type VerdictName = (typeof VERDICTS)[number];

export const pass: Verdict = { verdict: "pass" };

/** The agent breaks the rule. `reason` is a plain sentence without a value of the agent's answer. */
export function fail(reason: string): Verdict {
  return { verdict: "fail", reason };
}

/** The agent keeps the contract, but the run failed on the inputs that the check could give it. */
export function needsInputs(reason: string): Verdict {
  return { verdict: "needs-inputs", reason };
}

/** Nothing was seen that could tell: another rule is broken first, or the time was up. */
export function notReached(reason: string): Verdict {
  return { verdict: "not-reached", reason };
}

/** The rule asks nothing of this agent, or of runs as short as these. */
export function notApplicable(reason: string): Verdict {
  return { verdict: "not-applicable", reason };
}

/** Undefined is a pass: for checks that search for a defect. */
export function failIf(reason: string | undefined): Verdict {
  return reason === undefined ? pass : fail(reason);
}
