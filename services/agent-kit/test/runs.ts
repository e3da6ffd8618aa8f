import { silentLog } from "../src/log.ts";
import { Run, type RunParts } from "../src/runs/run.ts";
import { compileTasks, findTask, prepare } from "../src/runs/tasks.ts";
import type { TaskDefinition } from "../src/types.ts";

/** A run of a task that nobody has started yet, without an agent around it. */
export function newRun(
  definition: TaskDefinition,
  more: Partial<Pick<RunParts, "maxEventBytes" | "log">> = {},
): Run {
  const task = findTask(compileTasks({ TASK: definition }), "TASK");
  const prepared = prepare(task, { request_id: "r", task_type: "TASK" });
  return new Run({
    prepared,
    maxEventBytes: 1024 * 1024,
    provenance: {},
    trace: {},
    log: silentLog,
    ...more,
  });
}
