import { gatewayContract, type ServiceResponseRequest } from "@interlock/contracts";
import { GatewayError } from "../../errors.ts";
import {
  type ApiRequest,
  type Endpoint,
  endpoint,
  query,
  restOf,
  sendJson,
  streamRun,
} from "../../http/index.ts";
import { ID_PATTERN } from "../../ids.ts";
import type { RunRecord } from "../../runs/index.ts";
import { outcomeOf } from "../outcome.ts";
import { ask, originOf } from "../peer.ts";
import { lastMessage, type Said } from "../said.ts";
import { errorBody } from "./error.ts";
import { eventsAfter, PREFIX, recordedResponse, responseEvents, responseOf } from "./response-format.ts";
import { isService, modelOf, refuseUnheeded, type ServiceDeps, serviceOf, sessionOf } from "./service.ts";

const KEEPALIVE_MS = 15_000;
const STREAMS = ["application/json", "text/event-stream"] as const;

/** Open Responses over services: a response is a run. */
export function responseEndpoints(deps: ServiceDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/v1/responses",
      hot: true,
      startsRun: true,
      usesAgents: true,
      body: gatewayContract.serviceResponseRequest,
      errorBody,
      produces: STREAMS,
      handler: (request) => respond(request, deps),
    }),

    /** A response as it stands, or its events from `starting_after` on. */
    endpoint({
      method: "GET",
      path: "/v1/responses/:id",
      query: {
        stream: query.boolean,
        starting_after: query.seq,
        include: query.any,
        include_obfuscation: query.any,
      },
      errorBody,
      produces: STREAMS,
      async handler(request) {
        const { req, res, caller, id } = request;
        const { stream = false, starting_after } = request.query;
        const record = await find(request, id, deps);
        const origin = originOf(request, deps);
        if (!stream || req.method === "HEAD") {
          const rest = await deps.runs.open(caller, record).rested();
          return sendJson(res, recordedResponse(record, rest && outcomeOf(rest, origin)));
        }
        const after = starting_after === undefined ? 0 : eventsAfter(starting_after);
        if (after > record.seq) throw new GatewayError("invalid_cursor");
        deps.streams.admit(res, caller);
        await streamRun(deps.runs.open(caller, record), {
          after,
          dialect: responseEvents({ response: headOf(record), origin, after: starting_after ?? -1 }),
          open: () => deps.streams.open(res, KEEPALIVE_MS, { "x-run-id": record.id }),
        });
      },
    }),

    endpoint({
      method: "POST",
      path: "/v1/responses/:id/cancel",
      errorBody,
      async handler(request) {
        const { res, caller, id } = request;
        const { id: runId } = await find(request, id, deps);
        await deps.runs.cancel(caller, runId);
        const record = await deps.runs.find(caller, runId);
        const rest = await deps.runs.open(caller, record).rested();
        sendJson(res, recordedResponse(record, rest && outcomeOf(rest, originOf(request, deps))));
      },
    }),
  ];
}

async function respond(
  request: ApiRequest<object, ServiceResponseRequest>,
  deps: ServiceDeps,
): Promise<void> {
  const { res, caller, body } = request;
  const { model, input, metadata, background = false, previous_response_id: previous } = body;
  if (!isService(model)) throw new GatewayError("not_found", "There is no such service.");
  refuseUnheeded({ tools: body.tools, tool_choice: body.tool_choice, response_format: body.text?.format });
  const stream = body.stream ?? false;
  const said: readonly Said[] = typeof input === "string" ? [{ role: "user", content: input }] : input;
  const message = lastMessage(said);
  const origin = originOf(request, deps);
  const sessionId = previous
    ? (await find(request, previous, deps)).sessionId
    : sessionOf(request, {
        metadata: metadata ?? {},
        ...(typeof input === "string" ? {} : { messages: said }),
      });
  if (stream) deps.streams.admit(res, caller);
  const asked = { message, sessionId, service: serviceOf(model), background: background ?? false };
  const run = await ask(request, { ...asked, quiet: !stream && !background }, deps);
  const head = {
    ...{ runId: run.id, sessionId, model, background: background ?? false, metadata: metadata ?? {} },
    createdAt: run.record?.createdAt ?? Date.now(),
    ...(previous ? { previous } : {}),
  };
  if (stream)
    return await streamRun(run, {
      dialect: responseEvents({ response: head, origin, after: -1 }),
      open: () => deps.streams.open(res, KEEPALIVE_MS, { "x-run-id": run.id }),
    });
  if (background) return sendJson(res, run.replayed ? await present(run.id) : responseOf(head, "queued"));
  const outcome = outcomeOf(await restOf(run), origin);
  if (outcome?.kind === "failed") throw outcome.error;
  if (!res.destroyed) sendJson(res, responseOf(head, outcome ?? "in_progress"));

  async function present(runId: string): Promise<object> {
    const record = await deps.runs.find(caller, runId);
    const rest = await deps.runs.open(caller, record).rested();
    return recordedResponse(record, rest && outcomeOf(rest, origin));
  }
}

/** @throws GatewayError not_found: foreign and unknown ids look alike */
async function find({ caller, admitted }: ApiRequest, id: string, { runs }: ServiceDeps): Promise<RunRecord> {
  const runId = id.startsWith(PREFIX) ? id.slice(PREFIX.length) : "";
  if (!ID_PATTERN.test(runId)) throw new GatewayError("not_found", "There is no such response.");
  if (admitted) await admitted;
  return await runs.find(caller, runId);
}

const headOf = ({ id, sessionId, createdAt, order }: RunRecord) => ({
  ...{ runId: id, sessionId, createdAt, model: modelOf(order.service), background: false, metadata: {} },
});
