import { newApproval } from "../approvals/index.ts";
import { principalOf } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import type { RunEventBody } from "../events/index.ts";
import { newId } from "../ids.ts";
import type { Step } from "../mesh/index.ts";
import type { NewApproval, RunOrder, StepDecision } from "../store/index.ts";
import type { FlowContext } from "./flow-context.ts";
import type { LiveRun } from "./live-run.ts";
import type { Plan } from "./plan.ts";
import { sampleOf, sampleWarnings } from "./sample.ts";

/**
 * Whether a step may not be executed now. Fails closed: only an approval, or a rule that says `false`, lets a step pass. The rule is
 * not evaluated again after a decision, since what it looks at may have changed: the time, or an optional step that failed before.
 */
export async function isGated(
  { approval }: Step,
  decision: StepDecision | undefined,
  context: FlowContext,
  signal: AbortSignal,
): Promise<boolean> {
  if (!approval) return false;
  if (decision) return decision.decision !== "approved";
  return approval.when === undefined || (await approval.when(context, signal)) !== false;
}

export type Pause = {
  message: string;
  event: Extract<RunEventBody, { type: "run_paused" }>;
  approval: NewApproval;
};

/** The approval that a gated step asks for, and the event that tells of it. */
export async function pauseAt(
  step: Step,
  {
    run,
    plan,
    order,
    context,
    answer,
    unable,
  }: {
    run: LiveRun;
    plan: Plan;
    order: RunOrder;
    context: FlowContext;
    /** The turn's text so far. */
    answer: string;
    /** Why nobody can approve it; undefined where somebody can. */
    unable: string | undefined;
  },
): Promise<Pause> {
  const rule = step.approval;
  if (!rule) throw new GatewayError("internal");
  const sample = sampleOf(context.steps);
  const approval = await newApproval({
    id: newId(),
    run,
    flow: plan.name,
    step: step.id,
    requestedBy: order.subject,
    owner: principalOf(order),
    sample: sample !== undefined,
    rule,
    proposal: await rule.proposal(context, run.signal),
    shown: await rule.show?.(context, run.signal),
  });
  const warnings = [...sampleWarnings(sample), ...(unable === undefined ? [] : [unable])];
  const waits = `The step "${step.id}" waits for approval ${approval.id}.`;
  const message = [answer, waits, ...(unable === undefined ? [] : [unable])].join("\n\n");
  const asked = {
    id: approval.id,
    roles: rule.roles,
    proposal_hash: approval.hash,
    expires_in_s: rule.expiresInS,
  };
  return {
    message,
    event: {
      type: "run_paused",
      node: step.id,
      data: {
        status: "paused",
        message,
        approval: asked,
        model: order.model.chosen,
        ...(sample ? { sample: true } : {}),
        ...(warnings.length > 0 ? { warnings } : {}),
      },
    },
    approval,
  };
}
