import {
  type CardTask,
  compileSchema,
  type JsonSchema,
  type RunRequest,
  type Validator,
} from "@interlock/contracts";
import { Refused } from "../errors.ts";
import type { TaskDefinition, TaskRequest } from "../types.ts";

export type Task = {
  readonly type: string;
  readonly definition: TaskDefinition;
  readonly inputs: Validator<never>;
  readonly outputs: Validator<object>;
};

/** A request whose task exists and whose inputs are valid. */
export type Prepared = {
  readonly task: Task;
  readonly request: TaskRequest<never>;
  readonly warnings: readonly string[];
};

const SAMPLE_WARNING = "The request had no inputs: the task ran on the agent's sample.";

function compileNamed<T>(taskType: string, part: string, schema: JsonSchema): Validator<T> {
  if (schema.type !== "object")
    throw new Error(`the ${part} schema of task ${taskType} must be of an object`);
  try {
    return compileSchema<T>(schema);
  } catch (cause) {
    throw new Error(`the ${part} schema of task ${taskType} is not valid`, { cause });
  }
}

export function compileTasks(
  definitions: Readonly<Record<string, TaskDefinition>>,
): ReadonlyMap<string, Task> {
  const tasks = Object.entries(definitions).map(([type, definition]): [string, Task] => [
    type,
    {
      type,
      definition,
      inputs: compileNamed<never>(type, "inputs", definition.inputs),
      outputs: compileNamed<object>(type, "outputs", definition.outputs),
    },
  ]);
  if (tasks.length === 0) throw new Error("an agent has at least one task");
  return new Map(tasks);
}

export function describeTask({ type, definition }: Task): CardTask {
  return {
    task_type: type,
    ...(definition.description === undefined ? {} : { description: definition.description }),
    inputs: definition.inputs,
    outputs: definition.outputs,
    ...(definition.examples === undefined
      ? {}
      : { examples: definition.examples.map((each) => ({ ...each })) }),
  };
}

function isEmpty(inputs: object | undefined): boolean {
  return inputs === undefined || Object.keys(inputs).length === 0;
}

function chooseInputs(
  task: Task,
  request: RunRequest,
): { inputs: unknown; sample: boolean; warnings: readonly string[] } {
  if (!isEmpty(request.inputs)) return { inputs: request.inputs, sample: false, warnings: [] };
  if (request.mode === "LIVE") {
    throw new Refused("INVALID_INPUTS", "In LIVE mode /inputs is required and must not be empty.");
  }
  const sample = task.definition.sample?.();
  if (sample === undefined) return { inputs: {}, sample: false, warnings: [] };
  return { inputs: sample, sample: true, warnings: [SAMPLE_WARNING] };
}

/** @throws Refused if the agent does not have the task */
export function findTask(tasks: ReadonlyMap<string, Task>, taskType: string): Task {
  const task = tasks.get(taskType);
  if (task === undefined) throw new Refused("UNSUPPORTED_TASK");
  return task;
}

/** @throws Refused if the inputs do not match the task's schema */
export function prepare(task: Task, request: RunRequest): Prepared {
  const { inputs, sample, warnings } = chooseInputs(task, request);
  const checked = task.inputs(inputs);
  if (checked.ok) {
    return {
      task,
      request: { ...request, mode: request.mode ?? "DEMO", inputs: checked.value, sample },
      warnings,
    };
  }
  const { path, rule, message } = checked.problem;
  const text = path === "" ? message : `/inputs${message}`;
  throw new Refused("INVALID_INPUTS", `The inputs are not valid: ${text}.`, { path: `/inputs${path}`, rule });
}
