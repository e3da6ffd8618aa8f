import type { DecisionAnswer } from "@interlock/contracts";
import { type AgentClient, UpstreamError } from "../agents/index.ts";
import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import { eventAround } from "../events/index.ts";
import { newId } from "../ids.ts";
import { encoded, JsonText } from "../json-text.ts";
import { ConditionError, type EditRule, type Mesh } from "../mesh/index.ts";
import type { Approval, ApprovalOperation } from "../store/index.ts";
import { newAudit } from "./audit.ts";
import { askCheck } from "./check.ts";
import type { DecisionRequest } from "./decision.ts";
import { proposalHashInPieces, proposalText } from "./proposal.ts";
import { type Judged, OrderNotMet, verifyOrder } from "./verify.ts";

const CHECK_MS = 30_000;

/** The input of an edit. */
export type Editing = {
  mesh: Mesh;
  agents: AgentClient;
  /** What the flow's templates and conditions see of the run. */
  context: Judged["context"];
};

/**
 * Applies an approver's edits by the rule of the flow.
 * @returns the edited proposal, once the flow's check has accepted it
 * @throws GatewayError invalid_request, order_not_met, order_not_checked, value_timeout, upstream_*
 */
export async function editedProposal(
  caller: Caller,
  approval: Approval,
  edits: unknown,
  { mesh, agents, context }: Editing,
): Promise<unknown> {
  const rule = mesh.flows.get(approval.flow)?.steps.get(approval.step)?.approval?.edit;
  if (!rule) throw new GatewayError("invalid_request", "The flow does not let this proposal be edited.");
  const shape = rule.validate?.(edits);
  if (shape?.ok === false) {
    throw new GatewayError("invalid_request", `The edits have the wrong shape: ${shape.problem.message}.`);
  }
  const proposal = await unlessItFails(rule.apply(approval.proposal, edits));
  if (proposal === undefined) throw new GatewayError("invalid_request", "The edits cannot be applied.");
  const text = proposalText(proposal);
  // An editor may not approve, so an edit that changes nothing would only exclude its author.
  if (text === proposalText(approval.proposal)) {
    throw new GatewayError("invalid_request", "The edits change nothing.");
  }
  const outputs = await check(caller, rule, approval, { mesh, agents, context: { ...context, proposal } });
  if ((await unlessItFails(rule.check.accept({ outputs }))) !== true) {
    throw new GatewayError("invalid_request", "The edited proposal does not pass the check.", {
      extra: { check: outputs },
    });
  }
  await verify(caller, approval, proposal, { mesh, agents, context });
  // As the store gives it back, so that what is hashed, stored and published is the same value.
  return proposal instanceof JsonText ? proposal : (JSON.parse(text) as unknown);
}

/** Checks an edited proposal against the order's constraints, too. @throws GatewayError order_not_met, order_not_checked */
async function verify(
  caller: Caller,
  { flow: name, step, runId }: Approval,
  proposal: unknown,
  { mesh, agents, context }: Editing,
): Promise<void> {
  const flow = mesh.flows.get(name);
  const verify = flow?.steps.get(step)?.verify;
  if (!flow || !verify) return;
  const signal = AbortSignal.timeout(CHECK_MS);
  try {
    await verifyOrder({ verify, flow, context, proposal, signal }, (inputs) =>
      askCheck(agents, { check: verify, inputs, caller, runId, step, signal }),
    );
  } catch (error) {
    const notMet = error instanceof OrderNotMet ? error : new OrderNotMet("order_not_checked", []);
    const { code, differences } = notMet;
    throw new GatewayError(code, undefined, { cause: error, extra: { differences } });
  }
}

async function check(
  caller: Caller,
  { check }: EditRule,
  approval: Approval,
  { agents, context }: Editing,
): Promise<object> {
  const inputs = await unlessItFails(check.inputs(context));
  if (inputs === undefined) throw new GatewayError("invalid_request", "The edits cannot be checked.");
  const signal = AbortSignal.timeout(CHECK_MS);
  // What is checked is the editor's proposal.
  const asked = { caller, runId: approval.runId, step: approval.step, signal };
  try {
    return await askCheck(agents, { check, inputs, ...asked });
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    // Inputs that the check refuses come from the caller's edits, so report them as the caller's error.
    const isCallersFault = error.callerStatus !== undefined;
    const code = isCallersFault ? "invalid_request" : error.code;
    throw new GatewayError(code, isCallersFault ? error.message : undefined, {
      cause: error,
      retryable: error.retryable,
    });
  }
}

/** Undefined where the edited proposal makes a condition impossible to evaluate, which is the caller's mistake. */
async function unlessItFails(result: Promise<unknown>): Promise<unknown> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof ConditionError) return undefined;
    throw error;
  }
}

/** The operation that replaces the proposal, and what its caller is told. */
export async function editOperation(
  caller: Caller,
  approval: Approval,
  request: DecisionRequest,
  proposal: unknown,
): Promise<{ operation: ApprovalOperation; answer: DecisionAnswer }> {
  const hash = await proposalHashInPieces(approval.runId, approval.step, proposal);
  const by = caller.subject;
  const at = new Date().toISOString();
  const answer: DecisionAnswer = {
    approval_id: approval.id,
    run_id: approval.runId,
    decision: "edited",
    by,
    at,
    proposal_hash: hash,
  };
  const data = { approval_id: approval.id, by, proposal_hash: hash };
  const operation: ApprovalOperation = {
    action: "edit",
    id: newId(),
    hash: request.proposalHash,
    idempotency: request.idempotency,
    answer: JSON.stringify(answer),
    event: eventAround(approval.runId, { type: "approval_edited", node: approval.step, data }, at),
    audit: newAudit({
      approval: approval.id,
      action: "edited",
      by,
      proposal_hash: hash,
      ...(request.note === undefined ? {} : { note: request.note }),
    }),
    proposal: await encoded(proposalText(proposal)),
    newHash: hash,
    editors: [...new Set([...approval.editors, by])],
  };
  return { operation, answer };
}
