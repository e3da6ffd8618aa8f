import type { RunFact } from "../ledger.ts";
import type { Event, Finding } from "./log.ts";

/** How soon after a cancel the agent of the step under way must be told to stop. */
const HEARD_MS = 2_000;
/** For how long a step has been under way, so that its agent has begun it and cannot have finished it (ms). */
const UNDER_WAY = { from: 150, to: 1_100 };
const LONG_STEPS = new Set(["prepare", "left", "apply"]);

/** When a worker last began a task of the run, and when it was last told to stop one (ms). */
export type Tasks = { readonly begunAt: number | undefined; readonly abortedAt: number | undefined };

/** Checks that a cancel reached the agent of the step under way. */
export function checkCancel(
  fact: Pick<RunFact, "scenario">,
  events: readonly Event[],
  { begunAt = 0, abortedAt }: Tasks,
): Finding[] {
  const end = events.at(-1);
  if (fact.scenario !== "cancelled" || end?.type !== "run_cancelled") return [];
  const cancelledAt = Date.parse(String(end.at));
  const finished = new Set(events.filter((e) => e.type === "step_finished").map(({ node }) => node));
  const underWay = events.filter(({ type, node = "", at }) => {
    const startedAt = Date.parse(String(at));
    const since = cancelledAt - Math.max(startedAt, begunAt);
    const long = type === "step_started" && LONG_STEPS.has(node) && !finished.has(node);
    // The step may still have been waiting for the claim of a dead worker to expire.
    const begun = begunAt > startedAt - 100;
    return long && begun && since > UNDER_WAY.from && since < UNDER_WAY.to;
  });
  if (underWay.length === 0) return [];
  const heardAfter = abortedAt === undefined ? Number.POSITIVE_INFINITY : abortedAt - cancelledAt;
  // Two processes read the clock, so the order may be off by a little.
  if (heardAfter > -100 && heardAfter <= HEARD_MS) return [];
  return [
    { kind: "agent not told of a cancel", detail: `${underWay[0]?.node} heard after ${heardAfter} ms` },
  ];
}
