import type { RunFact } from "../ledger.ts";
import { CANCELLED_STEP_MS } from "../load/background.ts";
import { ROOM } from "../pace.ts";
import type { Event, Finding } from "./log.ts";

/** How soon after a cancel the agent of the step under way must be told to stop. */
export const HEARD_MS = 2_000 * ROOM;
/** For how long a step has been under way, so that its agent has begun it and is told before it has finished it (ms). */
const UNDER_WAY = { from: 150, to: CANCELLED_STEP_MS - HEARD_MS - 100 };
/** The order of times that two processes read may be off by as much (ms). */
const CLOCKS_MS = 100;
const LONG_STEPS = new Set(["prepare", "left", "apply"]);

/** When a worker last began the task of a step, when it was last told to stop it, and when it last did all of it (ms). */
export type Task = Readonly<Record<"begunAt" | "abortedAt" | "endedAt", number | undefined>>;

/** Checks that a cancel reached the agents of the steps under way. */
export function checkCancel(
  fact: Pick<RunFact, "scenario">,
  events: readonly Event[],
  taskOf: (node: string) => Task,
): Finding[] {
  const end = events.at(-1);
  if (fact.scenario !== "cancelled" || end?.type !== "run_cancelled") return [];
  const cancelledAt = Date.parse(String(end.at));
  const finished = new Set(events.filter((e) => e.type === "step_finished").map(({ node }) => node));
  return events.flatMap(({ type, node = "", at }) => {
    if (type !== "step_started" || !LONG_STEPS.has(node) || finished.has(node)) return [];
    const startedAt = Date.parse(String(at));
    const { begunAt = 0, abortedAt = Number.POSITIVE_INFINITY, endedAt = 0 } = taskOf(node);
    // The step may still have been waiting for the claim of a dead worker to expire, or have been given up by a gateway that stops.
    const begun = begunAt > startedAt - CLOCKS_MS;
    const givenUp = abortedAt >= begunAt && abortedAt < cancelledAt - CLOCKS_MS;
    const since = cancelledAt - Math.max(startedAt, begunAt);
    if (!begun || givenUp || since <= UNDER_WAY.from || since >= UNDER_WAY.to) return [];
    const heardAfter = abortedAt - cancelledAt;
    if (heardAfter > -CLOCKS_MS && heardAfter <= HEARD_MS) return [];
    // A worker's note may be lost: only one who did all of the task was certainly not told.
    const wentOn = abortedAt !== Number.POSITIVE_INFINITY || endedAt > cancelledAt + HEARD_MS;
    if (!wentOn) return [];
    const detail = `${node}, begun ${since} ms before, heard after ${heardAfter} ms, done after ${endedAt - cancelledAt} ms`;
    return [{ kind: "agent not told of a cancel", detail }];
  });
}
