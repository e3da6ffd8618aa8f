import type { Mesh } from "../mesh.ts";

export type Tool = { name: string; description: string };

/** The tools that a tool-calling agent can use: every task of every agent. */
export function toolsOf(mesh: Mesh): Tool[] {
  return [...mesh.agents.values()].flatMap((agent) =>
    Object.entries(agent.tasksText).map(([task, description]) => ({ name: toolName(task), description })),
  );
}

export function toolName(taskType: string): string {
  return taskType.toLowerCase();
}
