import { newApproval } from "../approvals/index.ts";
import { principalOf } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import type { RunEventBody } from "../events/index.ts";
import { newId } from "../ids.ts";
import { type ApprovalRule, ConditionError, type Mesh, type Step } from "../mesh/index.ts";
import type { NewApproval, RunOrder, StepDecision } from "../store/index.ts";
import type { FlowContext } from "./flow-context.ts";
import type { LiveRun } from "./live-run.ts";
import type { Plan } from "./plan.ts";
import { labelOf } from "./refusal.ts";
import { sampleOf, sampleWarnings, tableNotes } from "./sample.ts";
import type { Asked } from "./steps/index.ts";

/**
 * Whether a step may not be executed now. Fails closed: only an approval, or a rule that says `false`, lets a step pass; what a rule cannot
 * tell is approved by a person. The rule is not evaluated again after a decision, since what it looks at may have changed: the time, or an optional step that failed before.
 */
export async function isGated(
  { approval }: Step,
  decision: StepDecision | undefined,
  context: FlowContext,
  signal: AbortSignal,
): Promise<boolean> {
  if (!approval) return false;
  if (decision) return decision.decision !== "approved";
  if (approval.when === undefined) return true;
  try {
    return (await approval.when(context, signal)) !== false;
  } catch (error) {
    if (error instanceof ConditionError) return true;
    throw error;
  }
}

/** Says what waits for a decision, who may decide it, and until when. */
function waitText({
  step,
  plan,
  mesh,
  rule,
  deciders,
  approval,
}: {
  step: Step;
  plan: Plan;
  mesh: Mesh;
  rule: ApprovalRule;
  deciders: readonly string[];
  approval: string;
}): string {
  const flow = mesh.flows.get(plan.name);
  const goal = plan.goals.find((name) => flow?.goals.get(name)?.includes(step.id));
  const label = goal === undefined ? undefined : mesh.services.get(goal)?.label?.en;
  const what = `The step "${step.id}"${label === undefined ? "" : ` (${label})`} waits for approval ${approval}.`;
  const until = new Date(Date.now() + rule.expiresInS * 1000).toISOString().slice(0, 16).replace("T", " ");
  const who = deciders.length > 0 ? ` by ${deciders.join(" or ")}` : "";
  const others = rule.fourEyes ? ", but not by whoever asked for it" : "";
  return `${what} It can be decided${who} until ${until} UTC${others}.`;
}

/** The calls of rounds that wait are those that act. */
function takesEffect(step: Step): boolean {
  if (step.kind === "agent" || step.kind === "tool") return step.effect !== undefined;
  return step.kind === "publish" || step.kind === "rounds";
}

export type Pause = {
  message: string;
  event: Extract<RunEventBody, { type: "run_paused" }>;
  approval: NewApproval;
};

/** The approval that a gated step needs, and its event. */
export async function pauseAt(
  step: Step,
  {
    run,
    plan,
    flow: name,
    order,
    context,
    answer,
    unable,
    asked: { proposal, unseen },
    deciders,
    mesh,
  }: {
    run: LiveRun;
    plan: Plan;
    /** Whose step it is. */
    flow: string;
    order: RunOrder;
    context: FlowContext;
    /** The turn's text so far. */
    answer: string;
    /** Why nobody can approve it; undefined where somebody can. */
    unable: string | undefined;
    asked: Asked;
    /** The roles that may decide. */
    deciders: readonly string[];
    mesh: Mesh;
  },
): Promise<Pause> {
  const rule = step.approval;
  if (!rule) throw new GatewayError("internal");
  const sample = sampleOf(context.steps);
  const approval = await newApproval({
    id: newId(),
    run,
    flow: name,
    step: step.id,
    requestedBy: order.subject,
    owner: principalOf(order),
    sample: sample !== undefined,
    takesEffect: takesEffect(step),
    rule,
    proposal,
    shown: await rule.show?.(context, run.signal),
  });
  const warnings = [
    ...sampleWarnings(sample),
    ...tableNotes(order, mesh),
    ...(unable === undefined ? [] : [unable]),
  ];
  const flow = mesh.flows.get(name);
  const notSeen = unseen.map((slot) => labelOf(slot, flow)).join(", ");
  const message = [
    answer,
    ...(notSeen === "" ? [] : [`Not checked, since no proposal shows it: ${notSeen}.`]),
    waitText({ step, plan, mesh, rule, deciders, approval: approval.id }),
    ...(unable === undefined ? [] : [unable]),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
  const told = {
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
        approval: told,
        model: order.model.chosen,
        ...(sample ? { sample: true } : {}),
        ...(warnings.length > 0 ? { warnings } : {}),
        ...(order.pauseButtons ? { ui_hint: { buttons: order.pauseButtons } } : {}),
      },
    },
    approval,
  };
}
