import type { ListedTool } from "@interlock/contracts";
import { toolName } from "../events/index.ts";
import type { Mesh } from "../mesh/index.ts";

/** A tool, and the task that it is. */
export type Tool = { tool: ListedTool; agent: string; task: string };

/** The tools that a tool-calling agent can use: every task of every agent. */
export function toolsOf(mesh: Mesh): Tool[] {
  return [...mesh.agents.values()].flatMap((agent) =>
    Object.entries(agent.taskDescriptions).map(([task, description]) => ({
      tool: { name: toolName(task), description },
      agent: agent.name,
      task,
    })),
  );
}
