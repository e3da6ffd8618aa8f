import type { Callee } from "../../callees/index.ts";
import { JsonText } from "../../json-text.ts";
import { askAgent } from "./ask-agent.ts";
import type { StepDeps, StepScope } from "./step-kind.ts";

/** Characters of outputs that are read as text for a model. */
const MOST_READ = 64 * 1024;

/** A task of an agent as a callee: its arguments go beside the inputs of the request. Tasks of agents change nothing outside. */
export function agentCallee(
  { name, description, agent, task }: { name: string; description: string; agent: string; task: string },
  scope: StepScope,
  deps: StepDeps,
): Callee {
  return {
    ...{ name, description, about: { agent, task_type: task }, reads: true },
    parameters: { type: "object", additionalProperties: true },
    judge: async () => undefined,
    async call(args, { key, signal }) {
      const given = scope.context.request.inputs;
      const isEmpty = Object.keys(args).length === 0;
      const inputs = given instanceof JsonText ? (isEmpty ? given : { ...args }) : { ...given, ...args };
      const step = { id: key, agent, taskType: task, optional: false };
      const mode = isEmpty ? scope.mode : "LIVE";
      const asked = { ...scope, mode, signal } as const;
      const { outputs, warnings } = await askAgent(step, { inputs, round: 0 }, asked, deps);
      const text = outputs instanceof JsonText ? outputs.text.slice(0, MOST_READ) : JSON.stringify(outputs);
      const kept = outputs instanceof JsonText ? JSON.parse(outputs.text) : outputs;
      return { outputs: kept, text, warnings, isError: false, cached: "bypass" };
    },
  };
}
