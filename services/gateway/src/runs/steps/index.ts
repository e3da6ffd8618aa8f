import { OrderNotMet } from "../../approvals/index.ts";
import type { Step } from "../../mesh/index.ts";
import type { StepResult } from "../../store/index.ts";
import { type EndedAs, INTERLOCK, tracing } from "../../telemetry/index.ts";
import { agent } from "./agent.ts";
import { CallWaits } from "./call-waits.ts";
import { dialogue } from "./dialogue.ts";
import { OutcomeUnknown, StepFailure, toStepFailure } from "./failure.ts";
import { publish } from "./publish.ts";
import { render } from "./render.ts";
import { rounds } from "./rounds.ts";
import { failedEvent } from "./step-events.ts";
import type { StepDeps, StepKind, StepScope } from "./step-kind.ts";
import { tool } from "./tool.ts";

export { mergedInputs } from "./agent-callee.ts";
export { actorOf } from "./ask-agent.ts";
export { type Asked, CallWaits } from "./call-waits.ts";
export { OutcomeUnknown, StepFailure, toGatewayError } from "./failure.ts";
export { Patience } from "./patience.ts";
export { joinedTexts, renderText } from "./render.ts";
export { startedEvent } from "./step-events.ts";
export type { StepDeps, StepScope } from "./step-kind.ts";
export { wholeOutputs } from "./whole-outputs.ts";

/** The kinds of steps. A new kind is a file here, a row in this table, and its type and compilation in mesh/. */
const STEP_KINDS: { readonly [K in Step["kind"]]: StepKind<Extract<Step, { kind: K }>> } = {
  agent,
  dialogue,
  publish,
  render,
  rounds,
  tool,
};

export function stepKindOf(step: Step): StepKind<Step> {
  return STEP_KINDS[step.kind];
}

/**
 * Executes one step, and tells of its failure where its kind has events.
 * @throws StepFailure, OutcomeUnknown, OrderNotMet
 */
export function executeStep(step: Step, scope: StepScope, deps: StepDeps): Promise<StepResult> {
  const span = tracing?.span(`step ${step.id}`, scope.trace, {
    attributes: { [INTERLOCK.step]: step.id, [INTERLOCK.kind]: step.kind },
  });
  return span
    ? span.around(execute(step, { ...scope, trace: span }, deps), codeOf)
    : execute(step, scope, deps);
}

function codeOf(ended: EndedAs<StepResult>): string | undefined {
  if (!("error" in ended)) return undefined;
  const { error } = ended;
  if (error instanceof StepFailure) return error.failure.code;
  if (error instanceof OutcomeUnknown) return "outcome_unknown";
  // Waiting is no failure.
  return error instanceof CallWaits ? undefined : "order_not_met";
}

async function execute(step: Step, scope: StepScope, deps: StepDeps): Promise<StepResult> {
  const kind = stepKindOf(step);
  try {
    return await kind.execute(step, scope, deps);
  } catch (error) {
    if (error instanceof OutcomeUnknown || error instanceof OrderNotMet || error instanceof CallWaits)
      throw error;
    const failure = toStepFailure(step, error, scope.signal);
    const about = kind.about(step);
    if (about && failure.failure.code !== "cancelled") await scope.run.append(failedEvent(failure, about));
    throw failure;
  }
}
