import type { AgUiRunRequest } from "@interlock/contracts";
import { GatewayError } from "../../errors.ts";
import { type ApiRequest, headerOf, streamRun } from "../../http/index.ts";
import { type Approval, type DecideDeps, type Decided, decide, isDecision } from "../decide.ts";
import { originOf, type PeerDeps } from "../peer.ts";
import { agUiEvents } from "./events.ts";
import { KEEPALIVE_MS, toldAtOnce } from "./frames.ts";
import { stateOf } from "./state.ts";

type Request = ApiRequest<object, AgUiRunRequest>;
type Entry = NonNullable<AgUiRunRequest["resume"]>[number];
type Deps = PeerDeps & DecideDeps;

/**
 * Answers the interrupt of an earlier run, with the caller's own rights: an approver decides; whoever asked may take the request back, or
 * only follow the run. Then streams how the run goes on, to those who may read it.
 * @throws GatewayError as a decision does
 */
export async function resume(request: Request, entries: readonly Entry[], deps: Deps): Promise<void> {
  const { res, caller, body, admitted } = request;
  const [entry, ...more] = entries;
  if (!entry || more.length > 0)
    throw new GatewayError(
      "invalid_request",
      "A run waits for one approval at a time: answer one interrupt.",
    );
  if (admitted) await admitted;
  const { threadId, runId } = body;
  const head = { threadId, runId, origin: originOf(request, deps) };
  const { approval, decided } = await answer(request, entry, deps);
  const record =
    decided?.decision === "edited" ? undefined : await deps.runs.find(caller, approval.runId).catch(orHidden);
  if (!record) {
    const frames = toldAtOnce(head, approval.id, decided);
    deps.streams.open(res, KEEPALIVE_MS).end(frames);
    return;
  }
  const state = await stateOf(caller, record.sessionId, deps).catch(orHidden);
  await streamRun(deps.runs.open(caller, record), {
    dialect: agUiEvents({ ...head, before: state, after: state, resumed: approval.id }),
    open: () => deps.streams.open(res, KEEPALIVE_MS, { "x-run-id": record.id }),
  });
}

/** Does what an entry says. @returns the decision; none where nothing was decided */
async function answer(
  request: Request,
  { interruptId: id, status, payload }: Entry,
  deps: Deps,
): Promise<{ approval: Approval; decided?: Decided }> {
  const { req, caller } = request;
  const { approvals, decisions } = deps;
  if (status === "cancelled") {
    const approval = await approvals.findRequest(caller, id);
    return { approval, decided: await decisions.withdraw(caller, id, headerOf(req, "authorization")) };
  }
  if (!isDecision(payload)) {
    const own = await approvals.findRequest(caller, id).catch(() => undefined);
    return { approval: own ?? (await approvals.find(caller, id)) };
  }
  return await decide(request, id, payload, deps);
}

/** Whoever decides need not be among those who may read the run. */
function orHidden(error: unknown): undefined {
  if (error instanceof GatewayError && error.code === "not_found") return undefined;
  throw error;
}
