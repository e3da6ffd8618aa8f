import type { AgUiRunRequest } from "@interlock/contracts";
import { type ApiRequest, agentLabels, streamRun } from "../../http/index.ts";
import type { DecideDeps } from "../decide.ts";
import { ask, originOf, type PeerDeps } from "../peer.ts";
import { lastMessage, refuseTools } from "../said.ts";
import { agUiEvents } from "./events.ts";
import { KEEPALIVE_MS } from "./frames.ts";
import { resume } from "./resume.ts";
import { stateOf } from "./state.ts";

export type AgUiDeps = PeerDeps & DecideDeps;

/** Streams a turn with a service or, where the request answers an interrupt, how the run goes on that waited. */
export async function runAgent(
  request: ApiRequest<object, AgUiRunRequest>,
  service: string | undefined,
  deps: AgUiDeps,
): Promise<void> {
  const { res, caller, body, admitted } = request;
  const { threadId, runId, messages, tools, resume: answers } = body;
  refuseTools(tools);
  const origin = originOf(request, deps);
  deps.streams.admit(res, caller);
  if (answers && answers.length > 0) return await resume(request, answers, deps);
  const message = lastMessage(messages);
  if (admitted) await admitted;
  const before = await stateOf(caller, threadId, deps);
  const run = await ask(request, { message, sessionId: threadId, service }, deps);
  const after = await stateOf(caller, threadId, deps);
  await streamRun(run, {
    dialect: agUiEvents({ threadId, runId, origin, before, after }),
    labelOf: agentLabels(deps.mesh, message),
    untilRest: run.replayed,
    open: () => deps.streams.open(res, KEEPALIVE_MS, { "x-run-id": run.id }),
  });
}
