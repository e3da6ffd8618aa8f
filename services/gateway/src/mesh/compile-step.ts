import {
  compileSchema,
  type MeshApproval,
  type MeshCheck,
  type MeshStep,
  type MeshVerify,
} from "@interlock/contracts";
import type { DataCompiler, StepsSeen } from "./data/index.ts";
import { localised } from "./localised.ts";
import type {
  AgentStep,
  ApprovalRule,
  Check,
  FlowStep,
  PublishStep,
  RenderStep,
  ToolStep,
  Verify,
} from "./model.ts";

type Common = Pick<FlowStep, "id" | "needs" | "after" | "optional" | "approval" | "verify">;

/** A place of the manifest, what compiles the data there, and the steps of the flow. */
type At = { where: string; data: DataCompiler; steps: StepsSeen };

/** The book of a publish step that names none. */
export const DEFAULT_BOOK = "published";
export const DAY_S = 86_400;

/** What data a run has, by the names that templates and conditions know. */
const RUN = ["request", "steps", "constraints"] as const;
const PROPOSED = [...RUN, "proposal"] as const;
const APPROVED = [...RUN, "approval"] as const;
const ROUND = [...RUN, "inputs", "outputs", "rounds"] as const;
const RESULT = ["outputs", "rounds", "warnings", "kept"] as const;
const OUTPUTS = ["outputs"] as const;

export function compileStep(id: string, step: MeshStep, at: At): FlowStep {
  const common: Common = {
    id,
    needs: step.needs ?? [],
    after: step.after ?? [],
    optional: step.optional ?? false,
  };
  if (step.approval) common.approval = compileApproval(step.approval, inside(at, "approval"));
  if (step.verify) common.verify = compileVerify(step.verify, inside(at, "verify"));
  if (step.publish !== undefined) return compilePublishStep(step, common, at);
  if (step.tool !== undefined) return compileToolStep(step, step.tool, common, at);
  return step.render === undefined ? compileAgentStep(step, common, at) : compileRenderStep(step, common, at);
}

const inside = (at: At, part: string): At => ({ ...at, where: `${at.where}.${part}` });

function compileAgentStep(step: MeshStep, common: Common, { where, data, steps }: At): AgentStep {
  const compiled: AgentStep = {
    ...common,
    kind: "agent",
    agent: step.agent ?? "",
    taskType: step.task_type ?? "",
    inputs: data.template(`${where}.inputs`, step.inputs, step.approval ? APPROVED : RUN, steps),
    text: data.template(`${where}.text`, step.text ?? "outputs.summary", OUTPUTS),
  };
  if (JSON.stringify(step.inputs ?? {}).includes('"request.message"')) compiled.readsMessage = true;
  if (step.show !== undefined) compiled.show = data.template(`${where}.show`, step.show, RESULT);
  if (step.keep !== undefined) compiled.keep = data.template(`${where}.keep`, step.keep, ROUND, steps);
  if (step.effect !== undefined) compiled.effect = step.effect;
  if (step.repair) {
    compiled.repair = {
      when: data.condition(`${where}.repair.when`, step.repair.when, ROUND, steps),
      inputs: data.template(`${where}.repair.inputs`, step.repair.inputs, ROUND, steps),
      maxRounds: step.repair.max_rounds ?? 3,
    };
  }
  return compiled;
}

function compileToolStep(step: MeshStep, tool: string, common: Common, { where, data, steps }: At): ToolStep {
  const compiled: ToolStep = {
    ...common,
    kind: "tool",
    tool,
    inputs: data.template(`${where}.inputs`, step.inputs, step.approval ? APPROVED : RUN, steps),
    text: data.template(`${where}.text`, step.text ?? "outputs.text", OUTPUTS),
  };
  if (step.show !== undefined) compiled.show = data.template(`${where}.show`, step.show, RESULT);
  if (step.keep !== undefined) compiled.keep = data.template(`${where}.keep`, step.keep, ROUND, steps);
  if (step.effect !== undefined) compiled.effect = step.effect;
  return compiled;
}

function compilePublishStep(step: MeshStep, common: Common, { where, data, steps }: At): PublishStep {
  const compiled: PublishStep = {
    ...common,
    kind: "publish",
    to: step.to ?? DEFAULT_BOOK,
    allowSample: step.allow_sample ?? false,
    payload: data.template(`${where}.publish`, step.publish, APPROVED, steps),
  };
  if (step.show !== undefined) compiled.show = data.template(`${where}.show`, step.show, RESULT);
  return compiled;
}

function compileRenderStep(step: MeshStep, common: Common, { where, data, steps }: At): RenderStep {
  return { ...common, kind: "render", render: data.template(`${where}.render`, step.render, RUN, steps) };
}

function compileApproval(rule: MeshApproval, at: At): ApprovalRule {
  const { where, data, steps } = at;
  const expiresInS = rule.expires_in_s ?? DAY_S;
  const compiled: ApprovalRule = {
    proposal: data.canonical(`${where}.proposal`, rule.proposal, RUN, steps),
    roles: rule.roles ?? [],
    fourEyes: rule.four_eyes ?? false,
    expiresInS,
    warnBeforeS: rule.warn_before_s ?? Math.ceil(expiresInS / 10),
    onExpiry: rule.on_expiry ?? "reject",
    escalateTo: rule.escalate_to ?? [],
  };
  if (rule.max_age !== undefined) compiled.maxAgeS = rule.max_age;
  if (rule.when !== undefined) compiled.when = data.condition(`${where}.when`, rule.when, RUN, steps);
  if (rule.show !== undefined) compiled.show = data.template(`${where}.show`, rule.show, RUN, steps);
  if (rule.edit) {
    const { keys, set, schema, check } = rule.edit;
    compiled.edit = {
      apply: data.patch({ keys, set }),
      check: compileCheck(check, inside(at, "edit.check")),
    };
    if (schema) compiled.edit.validate = compileSchema(schema);
  }
  return compiled;
}

function compileCheck({ agent, task_type, inputs, accept }: MeshCheck, { where, data, steps }: At): Check {
  return {
    agent,
    taskType: task_type,
    inputs: data.template(`${where}.inputs`, inputs, PROPOSED, steps),
    accept: data.condition(`${where}.accept`, accept, OUTPUTS),
  };
}

function compileVerify(verify: MeshVerify, at: At): Verify {
  const compiled: Verify = compileCheck(verify, at);
  const { part } = verify;
  if (part) {
    const names = at.data.template(`${at.where}.part.names`, part.names, OUTPUTS);
    compiled.part = { names, say: localised(part.say) };
  }
  return compiled;
}
