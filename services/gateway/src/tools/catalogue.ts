import type { ListedTool } from "@interlock/contracts";
import { toolName } from "../events/index.ts";
import type { Mesh } from "../mesh/index.ts";

/** The tools that a tool-calling agent can use: every task of every agent. */
export function toolsOf(mesh: Mesh): ListedTool[] {
  return [...mesh.agents.values()].flatMap((agent) =>
    Object.entries(agent.taskDescriptions).map(([task, description]) => ({
      name: toolName(task),
      description,
    })),
  );
}
