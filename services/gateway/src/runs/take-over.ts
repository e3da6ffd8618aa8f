import { GatewayError } from "../errors.ts";
import type { EarlierResult, Keys, RunOrder, StepResult } from "../store/index.ts";
import type { LiveRun } from "./live-run.ts";
import type { Plan } from "./plan.ts";
import { stepKindOf, wholeOutputs } from "./steps/index.ts";

/** Reads a step's result from the journal of a run; undefined where it is not kept any more. */
export type ReadResult = (keys: Keys, from: EarlierResult) => Promise<string | undefined>;

/**
 * Begins a run with results of earlier runs: what was proposed is explained, tested or published as it is, and not computed again. They
 * are copied to the run's own journal, since a run may wait for an approval longer than the earlier one is kept. A step that the earlier
 * run did not come to, or that failed there, is executed here.
 * @throws GatewayError result_gone
 */
export async function takeOver(
  {
    run,
    order,
    results,
    plan,
  }: { run: LiveRun; order: RunOrder; results: Record<string, StepResult>; plan: Plan },
  { readResult }: { readResult: ReadResult },
): Promise<void> {
  let taken = 0;
  for (const step of plan.steps) {
    const from = order.takesOver?.[step.id];
    if (!from || results[step.id]) continue;
    const text = await readResult(run.keys, from);
    if (text === undefined && taken > 0) continue;
    if (text === undefined) throw new GatewayError("result_gone");
    taken += 1;
    const result = JSON.parse(text) as StepResult;
    const about = stepKindOf(step).about(step) ?? { agent: "gateway", task_type: "RENDER" };
    const { warnings, outputs } = result;
    const shown = step.kind === "agent" && step.show === wholeOutputs ? { outputs } : {};
    await run.journal(step.id, text, {
      type: "step_finished",
      node: step.id,
      data: { ...about, status: "ok", duration_ms: 0, warnings, taken_from: from.run, ...shown },
    });
    results[step.id] = result;
  }
}
