import { createHash } from "node:crypto";
import type { ModelPolicy } from "../mesh/index.ts";
import type { ModelChoice } from "../store/index.ts";

/**
 * Chooses a turn's model: the administrator's override, then the session's experiment bucket, then the request's hint, then the
 * task's default, then the default. Only models of the allowlist are ever chosen; a hint outside it is ignored.
 *
 * @param session decides the bucket, so that a conversation keeps its model
 */
export function chooseModel(
  policy: ModelPolicy,
  request: { hint?: string | undefined; task: string; session: string },
): ModelChoice {
  const allowed = (model: string | undefined): model is string =>
    model !== undefined && policy.allow.includes(model);
  // A hint that names no known model is the caller's free text, so it is not kept.
  const hint = allowed(request.hint) ? request.hint : null;
  if (allowed(policy.override)) return { hint, chosen: policy.override, reason: "override" };
  for (const experiment of policy.experiments) {
    if (bucket(experiment.name, request.session) < experiment.share) {
      return { hint, chosen: experiment.model, reason: "experiment" };
    }
  }
  if (hint !== null) return { hint, chosen: hint, reason: "hint" };
  const byTask = policy.tasks[request.task];
  if (allowed(byTask)) return { hint, chosen: byTask, reason: "task_default" };
  return { hint, chosen: policy.default, reason: "default" };
}

/** A number in [0, 1) that depends on experiment and session alone. */
function bucket(experiment: string, session: string): number {
  return createHash("sha256").update(`${experiment}\0${session}`).digest().readUInt32BE(0) / 2 ** 32;
}
