import type { Callee } from "../../callees/index.ts";
import { JsonText, writeJson } from "../../json-text.ts";
import { membersOf } from "../../mesh/index.ts";
import { askAgent, type Inputs } from "./ask-agent.ts";
import type { StepDeps, StepScope } from "./step-kind.ts";

/** Characters of outputs that are read as text for a model. */
const MOST_READ = 64 * 1024;
/** Characters of a schema that a model reads; a task with a larger one is still judged by it. */
const MOST_SCHEMA = 16 * 1024;
const ANY_OBJECT = { type: "object", additionalProperties: true };

/** A task of an agent as a callee: its arguments go beside the inputs of the request. */
export function agentCallee(
  task: { name: string; description: string; agent: string; task: string; reads: boolean },
  scope: StepScope,
  deps: StepDeps,
): Callee {
  const { name, description, agent, reads } = task;
  const { inputs: schema = ANY_OBJECT } = deps.schemasOf(agent, task.task);
  const given = scope.context.request.inputs;
  return {
    ...{ name, description, reads, about: { agent, task_type: task.task } },
    parameters: JSON.stringify(schema).length > MOST_SCHEMA ? ANY_OBJECT : schema,
    async judge(args, signal) {
      const inputs = await mergedInputs(given, Object(args));
      // Without inputs the agent uses its sample; large ones it judges itself.
      if (inputs instanceof JsonText || Object.keys(inputs).length === 0) return undefined;
      return await deps.judge(schema, inputs, signal);
    },
    async call(args, { key, signal, effect, trace }) {
      const inputs = await mergedInputs(given, args);
      const step = { id: key, agent, taskType: task.task, optional: false, ...(effect ? { effect } : {}) };
      const mode = Object.keys(args).length === 0 ? scope.mode : "LIVE";
      const asked = { ...scope, mode, signal, trace } as const;
      const { outputs, warnings } = await askAgent(step, { inputs, round: 0 }, asked, deps);
      const text = outputs instanceof JsonText ? outputs.text.slice(0, MOST_READ) : JSON.stringify(outputs);
      const kept = outputs instanceof JsonText ? JSON.parse(outputs.text) : outputs;
      return { outputs: kept, text, warnings, isError: false, cached: "bypass" };
    },
  };
}

/** Inputs of a request with the arguments of a call in place of members of the same name. */
export async function mergedInputs(given: Inputs, args: Readonly<Record<string, unknown>>): Promise<Inputs> {
  if (!(given instanceof JsonText)) return { ...given, ...args };
  if (Object.keys(args).length === 0) return given;
  const members = Array.from(await membersOf(given), ([name, json]) => [name, new JsonText(json)]);
  const whole = { ...Object.fromEntries(members), ...args };
  return new JsonText(writeJson(whole), Object.keys(whole));
}
