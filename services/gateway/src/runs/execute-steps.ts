import { OrderNotMet } from "../approvals/index.ts";
import { GatewayError } from "../errors.ts";
import type { Step } from "../mesh/index.ts";
import type { StepResult } from "../store/index.ts";
import type { FlowContext } from "./flow-context.ts";
import { isGated } from "./gate.ts";
import type { Refusal } from "./refusal.ts";
import { refusePublication, sampleOf } from "./sample.ts";
import { type StepOutcome, schedule } from "./scheduler.ts";
import {
  type Asked,
  CallWaits,
  executeStep,
  OutcomeUnknown,
  type StepDeps,
  type StepScope,
} from "./steps/index.ts";
import { type VerifyEffect, verifierOf } from "./verifier.ts";

/** How the steps of a plan came to rest. */
export type StepsRest =
  | { kind: "done" }
  /** `flow`: the one whose step it is. */
  | { kind: "waiting"; flow: string; step: Step; asked: Asked }
  | ({ kind: "refused" } & Refusal)
  | { kind: "handed_over" };

export type StepsOfFlow = Omit<StepScope, "verify"> & {
  /** The flow's name; that of the service where there is none. */
  flow: string;
  steps: readonly Step[];
  resultOf: (step: Step) => StepResult | undefined;
  /** Takes the result of a step that is done. */
  keep: (step: Step, result: StepResult) => void;
  mayStart: (step: Step) => boolean;
};

/**
 * Executes steps in parallel as far as they allow, until they are done, or some wait for a person or were refused one.
 * @throws StepFailure, OutcomeUnknown; the reason of the signal
 */
export async function executeSteps(
  { flow, steps, resultOf, keep, mayStart, ...scope }: StepsOfFlow,
  deps: StepDeps,
): Promise<StepsRest> {
  const { run, order, context, decisions, mesh, signal } = scope;
  const asked = new Map<string, Asked>();
  const unmet = new Map<string, OrderNotMet>();
  const waits = new Map<string, CallWaits>();
  const execute = async (step: Step, signal: AbortSignal): Promise<StepOutcome> => {
    const decision = decisions[step.id];
    const seen = decision ? { ...context, approval: decision } : context;
    const verify = verifierOf({ run, order, context: seen, flow }, { agents: deps.agents, mesh });
    try {
      // Check it before asking anybody to approve it.
      if (sampleOf(context.steps)) refusePublication(step, flow);
      if (await isGated(step, decision, context, signal)) {
        if (!decision) asked.set(step.id, await askedBy(step, { context, verify, signal }));
        return "gated";
      }
      keep(step, await executeStep(step, { ...scope, context: seen, verify, signal }, deps));
      return "done";
    } catch (error) {
      if (error instanceof OrderNotMet) {
        unmet.set(step.id, error);
        return "gated";
      }
      if (error instanceof CallWaits) {
        waits.set(step.id, error);
        return "gated";
      }
      if (step.optional && !signal.aborted && !(error instanceof OutcomeUnknown)) return "skipped";
      throw error;
    }
  };
  const { failures, gated, unstarted } = await schedule(steps, {
    isDone: (step) => resultOf(step) !== undefined,
    mayStart,
    execute,
    signal,
    stopReason: () => new GatewayError("cancelled"),
  });
  // An unknown outcome must reach a person, whatever else failed.
  const failure = failures.find((error) => error instanceof OutcomeUnknown) ?? failures[0];
  if (failure !== undefined) throw failure;
  signal.throwIfAborted();
  for (const step of gated) {
    const notMet = unmet.get(step.id);
    if (notMet) return { kind: "refused", step, notMet };
  }
  const [step] = gated;
  const wait = step && waits.get(step.id);
  if (wait) return { kind: "waiting", flow: wait.flow ?? flow, step: wait.step, asked: wait.asked };
  if (step) {
    const decision = decisions[step.id];
    if (decision) return { kind: "refused", step, decision };
    return { kind: "waiting", flow, step, asked: asked.get(step.id) ?? { proposal: undefined, unseen: [] } };
  }
  return { kind: unstarted.length > 0 ? "handed_over" : "done" };
}

/** Evaluates what a step would have approved, and has it judged before anybody is asked. @throws OrderNotMet */
async function askedBy(
  step: Step,
  { context, verify, signal }: { context: FlowContext; verify: VerifyEffect; signal: AbortSignal },
): Promise<Asked> {
  const proposal = await step.approval?.proposal(context, signal);
  return { proposal, unseen: await verify(step, proposal, signal) };
}
