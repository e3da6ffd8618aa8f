import { compileSchema, type MeshApproval, type MeshStep } from "@interlock/contracts";
import type { CompileAt } from "./expression.ts";
import type { AgentStep, ApprovalRule, FlowStep, PublishStep, RenderStep } from "./model.ts";

type Common = Pick<FlowStep, "id" | "needs" | "after" | "optional" | "approval">;
type CompileKind<S extends FlowStep> = (step: MeshStep, common: Common, expression: CompileAt) => S;

/** How each kind of step is compiled; a step of the manifest is of the kind whose member it has. */
const KINDS: { readonly [K in FlowStep["kind"]]: CompileKind<Extract<FlowStep, { kind: K }>> } = {
  agent: compileAgentStep,
  publish: compilePublishStep,
  render: compileRenderStep,
};

/** The book of a publish step that names none. */
export const DEFAULT_BOOK = "published";
const DAY_S = 86_400;

/** @param expression compiles the expression at a place within the step */
export function compileStep(id: string, step: MeshStep, expression: CompileAt): FlowStep {
  const common: Common = {
    id,
    needs: step.needs ?? [],
    after: step.after ?? [],
    optional: step.optional ?? false,
  };
  if (step.approval) common.approval = compileApproval(step.approval, expression);
  return KINDS[kindOf(step)](step, common, expression);
}

function kindOf(step: MeshStep): FlowStep["kind"] {
  if (step.publish !== undefined) return "publish";
  return step.render !== undefined ? "render" : "agent";
}

function compileAgentStep(step: MeshStep, common: Common, expression: CompileAt): AgentStep {
  const compiled: AgentStep = {
    ...common,
    kind: "agent",
    agent: step.agent ?? "",
    taskType: step.task_type ?? "",
    inputs: expression("inputs", step.inputs ?? "request.inputs"),
  };
  if (step.show !== undefined) compiled.show = expression("show", step.show);
  if (step.keep !== undefined) compiled.keep = expression("keep", step.keep);
  if (step.effect !== undefined) compiled.effect = step.effect;
  if (step.repair) {
    compiled.repair = {
      when: expression("repair.when", step.repair.when),
      inputs: expression("repair.inputs", step.repair.inputs),
      maxRounds: step.repair.max_rounds ?? 3,
    };
  }
  return compiled;
}

function compilePublishStep(step: MeshStep, common: Common, expression: CompileAt): PublishStep {
  const compiled: PublishStep = {
    ...common,
    kind: "publish",
    to: step.to ?? DEFAULT_BOOK,
    allowSample: step.allow_sample ?? false,
    payload: expression("publish", step.publish ?? ""),
  };
  if (step.show !== undefined) compiled.show = expression("show", step.show);
  return compiled;
}

function compileRenderStep(step: MeshStep, common: Common, expression: CompileAt): RenderStep {
  return { ...common, kind: "render", render: expression("render", step.render ?? "") };
}

function compileApproval(rule: MeshApproval, expression: CompileAt): ApprovalRule {
  const expiresInS = rule.expires_in_s ?? DAY_S;
  const compiled: ApprovalRule = {
    proposal: expression("approval.proposal", rule.proposal, "canonical"),
    roles: rule.roles ?? [],
    fourEyes: rule.four_eyes ?? false,
    expiresInS,
    warnBeforeS: rule.warn_before_s ?? Math.ceil(expiresInS / 10),
    onExpiry: rule.on_expiry ?? "reject",
    escalateTo: rule.escalate_to ?? [],
  };
  if (rule.max_age !== undefined) compiled.maxAgeS = rule.max_age;
  if (rule.when !== undefined) compiled.when = expression("approval.when", rule.when);
  if (rule.show !== undefined) compiled.show = expression("approval.show", rule.show);
  if (rule.edit) {
    const { agent, task_type, inputs, accept } = rule.edit.check;
    compiled.edit = {
      apply: expression("approval.edit.apply", rule.edit.apply, "canonical"),
      check: {
        agent,
        taskType: task_type,
        inputs: expression("approval.edit.check.inputs", inputs),
        accept: expression("approval.edit.check.accept", accept),
      },
    };
    if (rule.edit.schema) compiled.edit.validate = compileSchema(rule.edit.schema);
  }
  return compiled;
}
