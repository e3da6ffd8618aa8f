import type { RunFact } from "../ledger.ts";
import type { Event, Finding } from "./log.ts";

/** How soon the agent of a running step has to hear of a cancel. */
const HEARD_MS = 2_000;
/** A step this long under way was with its agent, and one of the cancelled runs' long steps had not ended yet (ms). */
const UNDER_WAY = { from: 150, to: 1_100 };
const LONG_STEPS = new Set(["prepare", "left", "apply"]);

/** When a task of the run was last begun by a worker, and last told to stop (ms). */
export type Tasks = { readonly begunAt: number | undefined; readonly abortedAt: number | undefined };

/** A cancel reaches the agent of a step that is under way. */
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
    // The step may still wait for the claim of a worker that died.
    const begun = begunAt > startedAt - 100;
    return long && begun && since > UNDER_WAY.from && since < UNDER_WAY.to;
  });
  if (underWay.length === 0) return [];
  const heardAfter = abortedAt === undefined ? Number.POSITIVE_INFINITY : abortedAt - cancelledAt;
  // Both are times of one machine, but of two processes.
  if (heardAfter > -100 && heardAfter <= HEARD_MS) return [];
  return [
    { kind: "agent not told of a cancel", detail: `${underWay[0]?.node} heard after ${heardAfter} ms` },
  ];
}
