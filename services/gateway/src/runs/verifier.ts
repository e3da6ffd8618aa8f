import { setTimeout as sleep } from "node:timers/promises";
import { UpstreamError } from "../agents/index.ts";
import { askCheck, verifyOrder } from "../approvals/index.ts";
import type { Mesh, Step } from "../mesh/index.ts";
import type { RunOrder } from "../store/index.ts";
import type { FlowContext } from "./flow-context.ts";
import type { LiveRun } from "./live-run.ts";
import { actorOf, Patience, type StepDeps } from "./steps/index.ts";

/**
 * Has what a step would do judged against the order.
 * @returns the slots of the order that no effect can show
 * @throws OrderNotMet; the signal's reason
 */
export type VerifyEffect = (step: Step, proposal: unknown, signal: AbortSignal) => Promise<string[]>;

/** The verifier of one execution of a flow. Like any step of a plan it waits for an agent that is being restarted. */
export function verifierOf(
  { run, order, context, flow: name }: { run: LiveRun; order: RunOrder; context: FlowContext; flow: string },
  { agents, mesh }: Pick<StepDeps, "agents"> & { mesh: Mesh },
): VerifyEffect {
  return async ({ id, verify }, proposal, signal) => {
    const flow = mesh.flows.get(name);
    if (!verify || !flow) return [];
    const asked = {
      check: verify,
      caller: actorOf(order, run.keys.tenant),
      runId: run.id,
      step: id,
      signal,
      trace: run.trace,
    };
    const patience = new Patience({ optional: false });
    return await verifyOrder({ verify, flow, context: { ...context }, proposal, signal }, async (inputs) => {
      for (;;) {
        try {
          return await askCheck(agents, { ...asked, inputs });
        } catch (error) {
          const wait = error instanceof UpstreamError && !signal.aborted ? patience.after(error) : undefined;
          if (!wait) throw error;
          await sleep(wait.ms, undefined, { signal });
        }
      }
    });
  };
}
