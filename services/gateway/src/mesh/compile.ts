import type { MeshFlow, MeshLimits, MeshManifest, MeshService } from "@interlock/contracts";
import { compileStep } from "./compile-step.ts";
import { type CompileAt, compileExpression, type Evaluator } from "./expression.ts";
import type { AgentLimits, Flow, Mesh, MeshAgent, ModelPolicy, Service } from "./model.ts";

const GENERAL = "I did not find a service for this. Ask for one of those that the mesh offers.";

/**
 * Turns a checked manifest into a mesh.
 * @param readInputs reads the JSON object of a file that the manifest names; undefined where it holds none
 * @param pool evaluates the expressions that are not quick
 * @returns the mesh, to be used only where `problems` is empty
 */
export function compileMesh(
  manifest: MeshManifest,
  readInputs: (path: string) => Record<string, unknown> | undefined,
  pool: Evaluator,
): { mesh: Mesh; problems: string[] } {
  const problems: string[] = [];
  const expression: CompileAt = (where, source) => {
    try {
      return compileExpression(source, pool);
    } catch (error) {
      problems.push(`${where}: ${Error.isError(error) ? error.message : "not a JSONata expression"}`);
      return async () => undefined;
    }
  };
  const flows = new Map<string, Flow>();
  for (const [name, flow] of Object.entries(manifest.flows ?? {})) {
    const compiled = compileFlow(name, flow, expression);
    if (flow.default_inputs !== undefined) {
      const inputs = readInputs(flow.default_inputs);
      if (inputs) compiled.defaultInputs = inputs;
      else problems.push(`flows.${name}.default_inputs: not a file that holds a JSON object`);
    }
    flows.set(name, compiled);
  }
  const services = Object.entries(manifest.services ?? {}).map(([name, service]): [string, Service] => [
    name,
    compileService(name, service, flows, expression),
  ]);
  const mesh: Mesh = {
    agents: compileAgents(manifest),
    flows,
    services: new Map(services),
    endpoints: new Map(
      Object.entries(manifest.endpoints ?? {}).map(([path, { task_type }]) => [
        path,
        { taskType: task_type },
      ]),
    ),
    general: manifest.general?.trim() ?? GENERAL,
    models: compileModels(manifest),
  };
  return { mesh, problems };
}

function compileAgents(manifest: MeshManifest): Map<string, MeshAgent> {
  const agents = new Map<string, MeshAgent>();
  for (const [name, agent] of Object.entries(manifest.agents)) {
    agents.set(name, {
      name,
      url: agent.url.replace(/\/+$/, ""),
      tasks: Object.keys(agent.tasks),
      taskDescriptions: agent.tasks,
      description: agent.description ?? "",
      limits: compileLimits(agent.limits),
    });
  }
  return agents;
}

function compileLimits(limits: MeshLimits = {}): AgentLimits {
  const compiled: AgentLimits = {
    timeoutMs: limits.timeout_ms ?? 30_000,
    retries: limits.retries ?? 1,
    backoffMs: limits.backoff_ms ?? 200,
    maxEventBytes: limits.max_event_bytes ?? 1024 * 1024,
  };
  if (limits.max_concurrency !== undefined) compiled.maxConcurrency = limits.max_concurrency;
  return compiled;
}

function compileFlow(name: string, flow: MeshFlow, expression: CompileAt): Flow {
  const steps = Object.entries(flow.steps).map(([id, step]) => {
    const where = `flows.${name}.steps.${id}`;
    return [id, compileStep(id, step, (part, source) => expression(`${where}.${part}`, source))] as const;
  });
  const compiled: Flow = {
    name,
    description: flow.description ?? "",
    timeoutMs: flow.timeout_ms ?? 180_000,
    steps: new Map(steps),
    goals: new Map(Object.entries(flow.goals)),
    defaultGoals: flow.default_goals ?? Object.keys(flow.goals),
  };
  if (flow.accepts) compiled.accepts = new Set(flow.accepts);
  if (flow.answer !== undefined) compiled.answer = flow.answer;
  return compiled;
}

function compileService(
  name: string,
  service: MeshService,
  flows: ReadonlyMap<string, Flow>,
  expression: CompileAt,
): Service {
  const keywords = service.keywords ?? [];
  const flow = service.flow === undefined ? undefined : flows.get(service.flow);
  if (flow) {
    const goals = service.goals ?? flow.defaultGoals;
    return { name, keywords, target: { kind: "flow", flow: flow.name, goals } };
  }
  const target: Service["target"] = {
    kind: "agent",
    agent: service.agent ?? "",
    taskType: service.task_type ?? "",
  };
  if (service.answer !== undefined) {
    target.answer = expression(`services.${name}.answer`, service.answer);
  }
  return { name, keywords, target };
}

function compileModels({ models }: MeshManifest): ModelPolicy {
  const policy: ModelPolicy = {
    default: models?.default ?? "rules",
    allow: models?.allow ?? ["rules"],
    tasks: models?.tasks ?? {},
    experiments: models?.experiments ?? [],
  };
  if (models?.override !== undefined) policy.override = models.override;
  return policy;
}
