import type { Caller } from "../caller.ts";
import { type Service, takesEffect } from "../mesh/index.ts";
import { errandOf } from "./errand.ts";
import type { Talk } from "./talk.ts";
import type { NamedTask, TurnDeps } from "./turn-step.ts";

/** Whether a caller may use a service: nobody is offered what would be refused. */
export function mayUse(
  caller: Caller,
  { name, target }: Service,
  { access, runs }: Pick<TurnDeps, "access" | "runs">,
): boolean {
  if (target.kind === "flow")
    return runs.mayStart(caller, { kind: "flow", flow: target.flow, goals: target.goals });
  if (!access.may(caller, "use", { kind: "service", name })) return false;
  // Which tools they are, each caller's roles say.
  if (target.kind === "remote" || target.kind === "rounds") return true;
  return access.may(caller, "use", { kind: "task", agent: target.agent, task: target.taskType });
}

/** Whether a caller may have a task done by itself: one that takes effect is done in its flow or dialogue alone, which asks before. */
export function mayAsk(
  caller: Caller,
  { agent, task }: NamedTask,
  { access, mesh }: Pick<TurnDeps, "access" | "mesh">,
): boolean {
  return !takesEffect(task, mesh) && access.may(caller, "use", { kind: "task", agent, task });
}

/** Whether a caller may have what a category of a flow stands for. */
export function mayHave(
  caller: Caller,
  category: string,
  talk: Talk,
  { mesh, runs }: Pick<TurnDeps, "mesh" | "runs">,
): boolean {
  const goals = talk.goalsOf(category);
  return runs.mayStart(caller, errandOf({ goals, slots: {} }, talk, mesh).target);
}
