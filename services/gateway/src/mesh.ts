import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  gatewayContract,
  type MeshApproval,
  type MeshFlow,
  type MeshManifest,
  type MeshStep,
} from "@interlock/contracts";
import { parse } from "yaml";
import type { AgentSpec } from "./agents/index.ts";
import { compileExpression, type Expression } from "./runs/expression.ts";
import type { FlowContext } from "./runs/record.ts";

/** A manifest that cannot be used; every problem is named. */
export class MeshError extends Error {
  readonly problems: readonly string[];

  constructor(file: string, problems: readonly string[]) {
    super(`${file} is not a valid mesh manifest:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.name = "MeshError";
    this.problems = problems;
  }
}

type StepBase = {
  id: string;
  needs: readonly string[];
  after: readonly string[];
  optional: boolean;
  approval?: ApprovalRule;
};

/** An expression over a run. */
type FlowExpression = (context: FlowContext) => Promise<unknown>;

/** When a step waits for a person, and for whom. */
export type ApprovalRule = {
  when?: Expression;
  /** Exactly what is to be approved. */
  proposal: Expression;
  show?: Expression;
  /** Empty: anyone of the tenant. */
  roles: readonly string[];
  fourEyes: boolean;
  expiresInS: number;
  warnBeforeS: number;
  onExpiry: "reject" | "escalate";
  escalateTo: readonly string[];
  edit?: {
    apply: Expression;
    check: { agent: string; taskType: string; inputs: Expression; accept: Expression };
  };
};

export type AgentStep = StepBase & {
  kind: "agent";
  agent: string;
  taskType: string;
  inputs: FlowExpression;
  /** What of the outputs the run's log carries; everything else stays in the journal. */
  show?: Expression;
  /** What later steps need of the inputs as they were in the last round. */
  keep?: Expression;
  repair?: { when: Expression; inputs: Expression; maxRounds: number };
  /** Changes the world: `repeatable` by its key, or `once`, whose outcome cannot be asked for again. */
  effect?: "repeatable" | "once";
};

/** Writes to the price book, together with its journal entry: once, whatever happens. */
export type PublishStep = StepBase & { kind: "publish"; publish: Expression; show?: Expression };

/** Makes text from earlier outputs; asks nobody. */
export type RenderStep = StepBase & { kind: "render"; render: FlowExpression };

export type Step = AgentStep | RenderStep | PublishStep;

export type Flow = {
  name: string;
  description: string;
  timeoutMs: number;
  defaultInputs?: Readonly<Record<string, unknown>>;
  /** In the order of the manifest, which is an order of execution. */
  steps: ReadonlyMap<string, Step>;
  goals: ReadonlyMap<string, readonly string[]>;
  defaultGoals: readonly string[];
  answer?: string;
};

export type Service = {
  name: string;
  keywords: readonly string[];
  target:
    | { kind: "flow"; flow: string; goals: readonly string[] }
    | { kind: "agent"; agent: string; taskType: string; answer?: Expression };
};

export type ModelPolicy = {
  default: string;
  allow: readonly string[];
  tasks: Readonly<Record<string, string>>;
  override?: string;
  experiments: readonly { name: string; model: string; share: number }[];
};

export type Mesh = {
  agents: ReadonlyMap<string, AgentSpec & { tasksText: Readonly<Record<string, string>> }>;
  flows: ReadonlyMap<string, Flow>;
  services: ReadonlyMap<string, Service>;
  general: string;
  models: ModelPolicy;
};

const GENERAL = "I did not find a service for this. Ask for one of those that the mesh offers.";

/**
 * Reads and checks a manifest.
 * @throws MeshError with every problem found at the first level that has any: variables, shape, references, expressions.
 */
export function loadMesh(file: string, env: Readonly<Record<string, string | undefined>>): Mesh {
  const problems: string[] = [];
  const text = substitute(readManifest(file), env, problems);
  if (problems.length > 0) throw new MeshError(file, problems);
  let raw: unknown;
  try {
    raw = parse(text);
  } catch (error) {
    throw new MeshError(file, [
      Error.isError(error) ? (error.message.split("\n")[0] ?? "not YAML") : "not YAML",
    ]);
  }
  const checked = gatewayContract.mesh(raw);
  if (!checked.ok) throw new MeshError(file, [`${checked.problem.path || "/"}: ${checked.problem.message}`]);
  const manifest = checked.value;
  problems.push(...referenceProblems(manifest));
  if (problems.length > 0) throw new MeshError(file, problems);
  const mesh = build(manifest, dirname(resolve(file)), problems);
  if (problems.length > 0) throw new MeshError(file, problems);
  return mesh;
}

function readManifest(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new MeshError(file, ["the file cannot be read"]);
  }
}

function substitute(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): string {
  return text
    .split("\n")
    .map((line) => {
      const code = line.trimStart();
      if (code.startsWith("#")) return line;
      return line.replace(
        /\$\{([A-Z][A-Z0-9_]*)(?::-([^}]*))?\}/g,
        (_, name: string, fallback: string | undefined) => {
          const value = env[name] || fallback;
          if (value === undefined) problems.push(`the variable ${name} is not set and has no default`);
          return value ?? "";
        },
      );
    })
    .join("\n");
}

function referenceProblems(manifest: MeshManifest): string[] {
  const problems: string[] = [];
  const task = (where: string, agent: string | undefined, taskType: string | undefined) => {
    if (agent === undefined || taskType === undefined) return;
    const spec = manifest.agents[agent];
    if (!spec) problems.push(`${where}: there is no agent "${agent}"`);
    else if (!Object.hasOwn(spec.tasks, taskType))
      problems.push(`${where}: agent "${agent}" has no task "${taskType}"`);
  };
  const services = manifest.services ?? {};
  for (const [name, service] of Object.entries(services)) {
    task(`services.${name}`, service.agent, service.task_type);
    if (service.flow !== undefined && !manifest.flows?.[service.flow]) {
      problems.push(`services.${name}: there is no flow "${service.flow}"`);
    }
    for (const goal of service.goals ?? []) {
      if (!manifest.flows?.[service.flow ?? ""]?.goals[goal]) {
        problems.push(`services.${name}.goals: there is no goal "${goal}"`);
      }
    }
  }
  for (const [name, flow] of Object.entries(manifest.flows ?? {})) {
    for (const [id, step] of Object.entries(flow.steps)) {
      const where = `flows.${name}.steps.${id}`;
      task(where, step.agent, step.task_type);
      const check = step.approval?.edit?.check;
      task(`${where}.approval.edit.check`, check?.agent, check?.task_type);
      if (step.approval?.on_expiry === "escalate" && !step.approval.escalate_to) {
        problems.push(`${where}.approval: on_expiry is escalate, but escalate_to is missing`);
      }
      for (const other of [...(step.needs ?? []), ...(step.after ?? [])]) {
        if (!flow.steps[other]) problems.push(`flows.${name}.steps.${id}: there is no step "${other}"`);
      }
    }
    for (const [goal, steps] of Object.entries(flow.goals)) {
      if (!services[goal]) problems.push(`flows.${name}.goals: there is no service "${goal}"`);
      for (const id of steps) {
        if (!flow.steps[id]) problems.push(`flows.${name}.goals.${goal}: there is no step "${id}"`);
      }
    }
    for (const goal of flow.default_goals ?? []) {
      if (!flow.goals[goal]) problems.push(`flows.${name}.default_goals: there is no goal "${goal}"`);
    }
    if (flow.answer !== undefined && flow.steps[flow.answer]?.render === undefined) {
      problems.push(`flows.${name}.answer: there is no step "${flow.answer}" that renders text`);
    }
    const circle = circleOf(flow);
    if (circle) problems.push(`flows.${name}: the steps ${circle.join(" → ")} wait for each other`);
  }
  const models = manifest.models;
  if (models) {
    const named = [
      models.default,
      ...(models.override === undefined ? [] : [models.override]),
      ...Object.values(models.tasks ?? {}),
      ...(models.experiments ?? []).map((experiment) => experiment.model),
    ];
    for (const model of new Set(named)) {
      if (!models.allow.includes(model)) problems.push(`models: "${model}" is not in models.allow`);
    }
  }
  return problems;
}

function circleOf(flow: MeshFlow): string[] | undefined {
  const state = new Map<string, "open" | "done">();
  const path: string[] = [];
  const visit = (id: string): string[] | undefined => {
    if (state.get(id) === "done") return undefined;
    if (state.get(id) === "open") return [...path.slice(path.indexOf(id)), id];
    state.set(id, "open");
    path.push(id);
    const step = flow.steps[id];
    for (const other of [...(step?.needs ?? []), ...(step?.after ?? [])]) {
      const circle = visit(other);
      if (circle) return circle;
    }
    path.pop();
    state.set(id, "done");
    return undefined;
  };
  for (const id of Object.keys(flow.steps)) {
    const circle = visit(id);
    if (circle) return circle;
  }
  return undefined;
}

function build(manifest: MeshManifest, base: string, problems: string[]): Mesh {
  const expression = (where: string, source: string): Expression => {
    try {
      return compileExpression(source);
    } catch (error) {
      problems.push(`${where}: ${Error.isError(error) ? error.message : "not a JSONata expression"}`);
      return compileExpression("null");
    }
  };
  const agents = new Map<string, AgentSpec & { tasksText: Readonly<Record<string, string>> }>();
  for (const [name, agent] of Object.entries(manifest.agents)) {
    agents.set(name, {
      name,
      url: agent.url.replace(/\/+$/, ""),
      tasks: Object.keys(agent.tasks),
      tasksText: agent.tasks,
      description: agent.description ?? "",
      limits: {
        timeoutMs: agent.limits?.timeout_ms ?? 30_000,
        retries: agent.limits?.retries ?? 1,
        backoffMs: agent.limits?.backoff_ms ?? 200,
        maxEventBytes: agent.limits?.max_event_bytes ?? 1024 * 1024,
      },
    });
  }
  const flows = new Map<string, Flow>();
  for (const [name, flow] of Object.entries(manifest.flows ?? {})) {
    const steps = new Map<string, Step>();
    for (const [id, step] of Object.entries(flow.steps)) {
      steps.set(
        id,
        buildStep(id, step, (part, source) => expression(`flows.${name}.steps.${id}.${part}`, source)),
      );
    }
    const built: Flow = {
      name,
      description: flow.description ?? "",
      timeoutMs: flow.timeout_ms ?? 180_000,
      steps,
      goals: new Map(Object.entries(flow.goals)),
      defaultGoals: flow.default_goals ?? Object.keys(flow.goals),
    };
    if (flow.answer !== undefined) built.answer = flow.answer;
    if (flow.default_inputs !== undefined) {
      const inputs = readInputs(resolve(base, flow.default_inputs));
      if (inputs) built.defaultInputs = inputs;
      else problems.push(`flows.${name}.default_inputs: not a file that holds a JSON object`);
    }
    flows.set(name, built);
  }
  const services = new Map<string, Service>();
  for (const [name, service] of Object.entries(manifest.services ?? {})) {
    const flow = service.flow === undefined ? undefined : flows.get(service.flow);
    const target: Service["target"] = flow
      ? { kind: "flow", flow: flow.name, goals: service.goals ?? flow.defaultGoals }
      : { kind: "agent", agent: service.agent ?? "", taskType: service.task_type ?? "" };
    if (target.kind === "agent" && service.answer !== undefined) {
      target.answer = expression(`services.${name}.answer`, service.answer);
    }
    services.set(name, { name, keywords: service.keywords ?? [], target });
  }
  const models: ModelPolicy = {
    default: manifest.models?.default ?? "rules",
    allow: manifest.models?.allow ?? ["rules"],
    tasks: manifest.models?.tasks ?? {},
    experiments: manifest.models?.experiments ?? [],
  };
  if (manifest.models?.override !== undefined) models.override = manifest.models.override;
  return { agents, flows, services, general: manifest.general?.trim() ?? GENERAL, models };
}

function buildStep(
  id: string,
  step: MeshStep,
  expression: (part: string, source: string) => Expression,
): Step {
  const base: StepBase = {
    id,
    needs: step.needs ?? [],
    after: step.after ?? [],
    optional: step.optional ?? false,
  };
  if (step.approval) base.approval = buildApproval(step.approval, expression);
  if (step.publish !== undefined) {
    const publish = { ...base, kind: "publish" as const, publish: expression("publish", step.publish) };
    return step.show === undefined ? publish : { ...publish, show: expression("show", step.show) };
  }
  if (step.render !== undefined)
    return { ...base, kind: "render", render: expression("render", step.render) };
  const built: AgentStep = {
    ...base,
    kind: "agent",
    agent: step.agent ?? "",
    taskType: step.task_type ?? "",
    inputs: expression("inputs", step.inputs ?? "request.inputs"),
  };
  if (step.show !== undefined) built.show = expression("show", step.show);
  if (step.keep !== undefined) built.keep = expression("keep", step.keep);
  if (step.effect !== undefined) built.effect = step.effect;
  if (step.repair) {
    built.repair = {
      when: expression("repair.when", step.repair.when),
      inputs: expression("repair.inputs", step.repair.inputs),
      maxRounds: step.repair.max_rounds ?? 3,
    };
  }
  return built;
}

const DAY_S = 86_400;

function buildApproval(
  rule: MeshApproval,
  expression: (part: string, source: string) => Expression,
): ApprovalRule {
  const built: ApprovalRule = {
    proposal: expression("approval.proposal", rule.proposal),
    roles: rule.roles ?? [],
    fourEyes: rule.four_eyes ?? false,
    expiresInS: rule.expires_in_s ?? DAY_S,
    warnBeforeS: rule.warn_before_s ?? Math.ceil((rule.expires_in_s ?? DAY_S) / 10),
    onExpiry: rule.on_expiry ?? "reject",
    escalateTo: rule.escalate_to ?? [],
  };
  if (rule.when !== undefined) built.when = expression("approval.when", rule.when);
  if (rule.show !== undefined) built.show = expression("approval.show", rule.show);
  if (rule.edit) {
    const { agent, task_type, inputs, accept } = rule.edit.check;
    built.edit = {
      apply: expression("approval.edit.apply", rule.edit.apply),
      check: {
        agent,
        taskType: task_type,
        inputs: expression("approval.edit.check.inputs", inputs),
        accept: expression("approval.edit.check.accept", accept),
      },
    };
  }
  return built;
}

function readInputs(file: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
