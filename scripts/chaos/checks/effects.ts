import type { Event, Finding } from "./log.ts";

/** What the world outside shows of a run's effects. */
export type World = {
  /** Price book entries of the publish step. */
  readonly published: readonly string[];
  /** How often the agent's effect took place. */
  readonly applied: number;
};

/**
 * One effect a run and step: as often in the world as in the log, and never without a decision where one was asked for. Only an effect
 * whose step was under way when its run was ended may stand in the world alone.
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
