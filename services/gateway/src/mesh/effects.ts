import type { Flow, Mesh, Service } from "./model.ts";

/** Whether a task takes effect somewhere in the mesh: in a step that has an effect or waits for a person, or by holding a dialogue. */
export function takesEffect(task: string, { flows, services }: Mesh): boolean {
  const inFlow = [...flows.values()].some(({ steps }) =>
    [...steps.values()].some(
      (step) =>
        step.kind === "agent" && step.taskType === task && (step.effect ?? step.approval) !== undefined,
    ),
  );
  return (
    inFlow ||
    [...services.values()].some(({ target }) => target.kind === "dialogue" && target.taskType === task)
  );
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
      return [...mesh.tools.servers.values()].some(({ tools }) =>
        [...tools.values()].some(({ effect }) => effect !== undefined),
      );
    // Nothing here says what they do.
    case "dialogue":
    case "remote":
      return true;
    default:
      return target satisfies never;
  }
}

const changes = ({ steps }: Flow): boolean =>
  [...steps.values()].some(
    (step) => step.kind === "publish" || ("effect" in step && step.effect !== undefined) || step.approval,
  );
