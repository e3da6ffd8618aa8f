import type { Turn, TurnDeps } from "./turn-step.ts";
import { emptyWorkingSet } from "./working-set.ts";

/** Finds what the session works with. A mesh that is not spoken to in words keeps nothing, and costs no look-up. */
export function loadSession(turn: Turn, deps: TurnDeps): "next" | Promise<"next"> {
  if (turn.request.message === undefined || (deps.talks.length === 0 && !deps.services)) return "next";
  return load(turn, deps);
}

async function load(turn: Turn, { sessions, talks }: TurnDeps): Promise<"next"> {
  const { caller, sessionId } = turn.request;
  const [first] = talks;
  turn.working = (await sessions.working(caller, sessionId)) ?? emptyWorkingSet(first?.flow.name ?? "");
  return "next";
}
