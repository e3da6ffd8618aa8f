import { toolName } from "../events/index.ts";
import type { AgentStep, Flow, FlowStep, McpToolRule, Mesh, Service } from "./model.ts";

/** Whether a task takes effect somewhere in the mesh: in a step that has an effect or waits for a person, or by holding a dialogue. */
export function takesEffect(task: string, { flows, services }: Mesh): boolean {
  return (
    actingSteps(task, { flows }).length > 0 ||
    [...services.values()].some(({ target }) => target.kind === "dialogue" && target.taskType === task)
  );
}

/** The steps of flows in which a task has an effect, or waits for a person. */
function actingSteps(task: string, { flows }: Pick<Mesh, "flows">): AgentStep[] {
  return [...flows.values()].flatMap(({ steps }) =>
    [...steps.values()].filter(
      (step): step is AgentStep =>
        step.kind === "agent" && step.taskType === task && (step.effect ?? step.approval) !== undefined,
    ),
  );
}

/**
 * How a model may call a task: one that takes effect acts as the steps of flows say that do it, and its approval is theirs, whatever their
 * `when` says. @returns undefined where it cannot be called by itself
 */
export function ruleOfTask(
  { agent, task }: { agent: string; task: string },
  mesh: Mesh,
): McpToolRule | undefined {
  if (!takesEffect(task, mesh)) return { reads: true };
  const steps = actingSteps(task, mesh);
  // What is verified in its flow is called as its flow alone.
  if (steps.length === 0 || steps.some(({ verify }) => verify)) return undefined;
  const effect = steps.some((step) => step.effect === "once")
    ? "once"
    : steps.find((step) => step.effect)?.effect;
  const approval = steps.find((step) => step.approval)?.approval;
  const orders = [...mesh.services.values()].find(
    ({ target }) => target.kind === "agent" && target.agent === agent && target.taskType === task,
  )?.orders;
  const rule: McpToolRule = {
    reads: false,
    ...(effect === undefined ? {} : { effect }),
    ...(orders === undefined ? {} : { orders }),
  };
  if (!approval) return rule;
  const { when: _, proposal: __, show: ___, edit: ____, ...people } = approval;
  return { ...rule, approval: people };
}

/** Whether steps change something or wait for a person, and whether a person always decides each change before it happens. */
export function effectsOf(steps: readonly FlowStep[]): { acts: boolean; gatesItself: boolean } {
  const effects = steps.filter(hasEffect);
  const gatesItself = effects.every(({ approval }) => approval !== undefined && approval.when === undefined);
  return { acts: effects.length > 0 || steps.some(({ approval }) => approval !== undefined), gatesItself };
}

/** Whether what a service is asked for may change something: a message to it may ask for any goal of its flow. */
export function mayChange({ name, target }: Service, mesh: Mesh): boolean {
  switch (target.kind) {
    case "flow":
      return [...mesh.flows.values()].some((flow) => flow.name === target.flow && changes(flow));
    case "agent":
      return (
        takesEffect(target.taskType, mesh) ||
        [...mesh.flows.values()].some((flow) => flow.goals.has(name) && changes(flow))
      );
    case "rounds":
      return (
        [...mesh.tools.servers.values()].some(({ tools }) =>
          [...tools.values()].some(({ effect }) => effect !== undefined),
        ) || target.tools.some((tool) => ownToolActs(tool, mesh))
      );
    // Nothing here says what they do.
    case "dialogue":
    case "remote":
      return true;
    default:
      return target satisfies never;
  }
}

/** Whether a task, by its name as a tool, or the flow of a service acts. */
function ownToolActs(tool: string, mesh: Mesh): boolean {
  const service = mesh.services.get(tool);
  if (service?.target.kind === "flow") return mayChange(service, mesh);
  const tasks = [...mesh.agents.values()].flatMap((agent) => agent.tasks);
  return tasks.some((task) => toolName(task) === tool && takesEffect(task, mesh));
}

const changes = ({ steps }: Flow): boolean => effectsOf([...steps.values()]).acts;

const hasEffect = (step: FlowStep): boolean =>
  step.kind === "publish" || ("effect" in step && step.effect !== undefined);
