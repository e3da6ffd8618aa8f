import { gatewayContract, type ServiceCompletionRequest, type Validator } from "@interlock/contracts";
import {
  type ApiRequest,
  agentLabels,
  type Endpoint,
  endpoint,
  restOf,
  sendJson,
  streamRun,
} from "../../http/index.ts";
import { outcomeOf } from "../outcome.ts";
import { ask, originOf } from "../peer.ts";
import { lastMessage } from "../said.ts";
import { serviceAnswer, serviceChunks } from "./completion-format.ts";
import { errorBody } from "./error.ts";
import { type AskModelsDeps, type CompletionRequestBody, modelCompletions } from "./models.ts";
import { isService, refuseUnheeded, type ServiceDeps, serviceOf, sessionOf } from "./service.ts";

type Body = ServiceCompletionRequest | CompletionRequestBody;

const body: Validator<Body> = (value) =>
  isService(Object(value).model)
    ? gatewayContract.serviceCompletionRequest(value)
    : gatewayContract.completionRequest(value);

const KEEPALIVE_MS = 15_000;

/** OpenAI's chat completions: a turn with a service, or an answer of one of the mesh's models. */
export function completionEndpoint(deps: ServiceDeps & AskModelsDeps): Endpoint {
  const askModel = modelCompletions(deps);
  return endpoint({
    method: "POST",
    path: "/v1/chat/completions",
    hot: true,
    startsRun: true,
    usesAgents: true,
    body,
    errorBody,
    produces: ["application/json", "text/event-stream"],
    async handler(request) {
      const { body } = request;
      if (isForService(body)) return await askService({ ...request, body }, deps);
      if (request.admitted) await request.admitted;
      await askModel({ ...request, body });
    },
  });
}

function isForService(body: Body): body is ServiceCompletionRequest {
  return isService(body.model);
}

async function askService(
  request: ApiRequest<object, ServiceCompletionRequest>,
  deps: ServiceDeps,
): Promise<void> {
  const { res, caller, body } = request;
  const { model, messages, metadata, stream = false } = body;
  refuseUnheeded(body);
  const message = lastMessage(messages);
  const origin = originOf(request, deps);
  if (stream) deps.streams.admit(res, caller);
  const run = await ask(
    request,
    {
      message,
      sessionId: sessionOf(request, { metadata: metadata ?? {}, messages }),
      service: serviceOf(model),
      quiet: !stream,
    },
    deps,
  );
  const head = { runId: run.id, sessionId: run.sessionId, model };
  if (!stream) {
    const outcome = outcomeOf(await restOf(run), origin);
    if (outcome?.kind === "failed") throw outcome.error;
    if (outcome && !res.destroyed) sendJson(res, serviceAnswer(outcome, head));
    return;
  }
  const usage = body.stream_options?.include_usage ?? false;
  await streamRun(run, {
    dialect: serviceChunks({ ...head, origin, usage, progress: deps.progress }),
    labelOf: agentLabels(deps.mesh, message),
    untilRest: run.replayed,
    open: () => deps.streams.open(res, KEEPALIVE_MS, { "x-run-id": run.id }),
  });
}
