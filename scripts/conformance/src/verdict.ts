/** The result of one check on one agent. */
export type Verdict =
  | { readonly verdict: "pass" }
  | { readonly verdict: Exclude<VerdictName, "pass">; readonly reason: string };

export const VERDICTS = ["pass", "fail", "needs-inputs", "not-reached", "not-applicable"] as const;
export type VerdictName = (typeof VERDICTS)[number];

export const pass: Verdict = { verdict: "pass" };

/** The agent breaks the rule. `reason` is a sentence that quotes nothing from the agent's answer. */
export function fail(reason: string): Verdict {
  return { verdict: "fail", reason };
}

/** The agent keeps the contract, but its run failed on the inputs that the check had. */
export function needsInputs(reason: string): Verdict {
  return { verdict: "needs-inputs", reason };
}

/** Could not be judged: another rule is broken first, or the time was up. */
export function notReached(reason: string): Verdict {
  return { verdict: "not-reached", reason };
}

/** The rule does not apply to this agent, or to runs as short as these. */
export function notApplicable(reason: string): Verdict {
  return { verdict: "not-applicable", reason };
}

/** Passes if there is no reason to fail. */
export function failIf(reason: string | undefined): Verdict {
  return reason === undefined ? pass : fail(reason);
}
