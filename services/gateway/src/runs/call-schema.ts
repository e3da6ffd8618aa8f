import { toolName } from "../events/index.ts";
import type { Tools } from "../tools/index.ts";
import type { RunEdition } from "./editions.ts";
import { parametersOf } from "./flow-callee.ts";
import { planOfFlow } from "./plan.ts";

/** The schema of what a tool takes, and whether the inputs of its request go beside its arguments. */
export type CallSchema = { schema: object; takesInputs: boolean };

/** @param name of a tool as a service has it; undefined where there is none, or where nobody has said what it takes */
export function callSchema(
  name: string,
  { mesh, registry }: Pick<RunEdition, "mesh" | "registry">,
  tools: Pick<Tools, "schemaOf">,
): CallSchema | undefined {
  const own = tools.schemaOf(name);
  if (own) return { schema: own, takesInputs: false };
  for (const agent of mesh.agents.values()) {
    const task = agent.tasks.find((one) => toolName(one) === name);
    const { inputs } = task === undefined ? {} : registry.schemas(agent.name, task);
    if (inputs) return { schema: inputs, takesInputs: true };
  }
  const target = mesh.services.get(name)?.target;
  const flow = target?.kind === "flow" ? mesh.flows.get(target.flow) : undefined;
  if (target?.kind !== "flow" || !flow) return undefined;
  const { steps } = planOfFlow(flow, target.goals);
  const schemasOf = (agent: string, task: string) => registry.schemas(agent, task);
  return { schema: parametersOf(flow, steps, { schemasOf }), takesInputs: false };
}
