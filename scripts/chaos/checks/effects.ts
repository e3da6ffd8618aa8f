import type { Event, Finding } from "./log.ts";

/** The effects of a run, as observed outside of the gateway. */
export type World = {
  /** Price book entries of the publish step. */
  readonly published: readonly string[];
  /** How often the agent's effect happened. */
  readonly applied: number;
};

/**
 * Checks that each effect of a run happened as often as its log says, at most once, and not without the approval that it needs. An
 * effect may be missing in the log only if its step was under way when the run was ended.
 */
export function checkEffects(events: readonly Event[], { published, applied }: World): Finding[] {
  const findings: Finding[] = [];
  const done = (node: string) => events.filter((e) => e.type === "step_finished" && e.node === node).length;
  if (published.length > 1)
    findings.push({ kind: "effect taken twice", detail: `published ${published.length}` });
  if (published.length !== Math.min(1, done("release"))) {
    findings.push({
      kind: "effect and log differ",
      detail: `published ${published.length}, log ${done("release")}`,
    });
  }
  if (applied > 1) findings.push({ kind: "effect taken twice", detail: `applied ${applied} times` });
  if (applied < Math.min(1, done("apply"))) {
    findings.push({ kind: "effect lost", detail: "apply is in the log, not in the world" });
  }
  const paused = events.some(({ type }) => type === "run_paused");
  const approved = events.some((e) => e.type === "approval_decided" && e.data.decision === "approved");
  if (paused && !approved && (published.length > 0 || applied > 0)) {
    findings.push({
      kind: "effect without approval",
      detail: `published ${published.length}, applied ${applied}`,
    });
  }
  return findings;
}
