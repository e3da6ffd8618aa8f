import { Defect } from "./defect.ts";
import { defective } from "./outcome.ts";
import type { AgentSpec, DispatchRequest, OutputsProblem } from "./types.ts";
import type { UpstreamError } from "./upstream-error.ts";

/** Why the outputs of an answer are invalid, by the manifest's schema or the caller's own check; undefined where they are valid. */
export function problemOf(
  outputs: object,
  { outputs: checks }: AgentSpec,
  { task, check, signal, once }: DispatchRequest,
): OutputsProblem | undefined | Promise<OutputsProblem | undefined> {
  const declared = checks?.get(task);
  if (!declared) return check?.(outputs);
  // An answer that cannot be asked for again is validated even after an abort, so that its outcome is known.
  return afterDeclared(declared(outputs, once ? undefined : signal), outputs, check);
}

async function afterDeclared(
  checking: string | undefined | Promise<string | undefined>,
  outputs: object,
  check: DispatchRequest["check"],
): Promise<OutputsProblem | undefined> {
  const place = await checking;
  return place === undefined ? check?.(outputs) : { reason: "wrong_outputs", place };
}

export function brokenContract(agent: string, { reason, place }: OutputsProblem): UpstreamError {
  return defective(agent, new Defect(reason, place)).error;
}
