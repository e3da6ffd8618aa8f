import { gatewayContract } from "@interlock/contracts";
import {
  type ApiRequest,
  COMMON_HEADERS,
  type Endpoint,
  endpoint,
  query,
  sendJson,
} from "../../http/index.ts";
import { meshCard } from "./card.ts";
import { restErrorBody as errorBody } from "./error.ts";
import type { Framing } from "./events.ts";
import { createPush, getPush, listPushes, removePush } from "./push.ts";
import { pageOfTasks, refuseVersion } from "./rpc.ts";
import { type A2aDeps, sendMessage, streamMessage, subscribe } from "./send.ts";
import { taskOf } from "./task.ts";
import { cancelTask, findTask } from "./tasks.ts";

const framing: Framing = {
  event: (payload) => `data: ${JSON.stringify(payload)}\n\n`,
  error: (error) => `event: error\ndata: ${JSON.stringify(errorBody(error))}\n\n`,
};
const SSE = ["text/event-stream", "application/json"];
/** The media type of the protocol is JSON, too. */
const JSON_TYPES = ["application/json", "application/a2a+json"];
const LENGTH = query.integer(0, 1_000);

/** The REST binding: the same calls, as resources. */
export function restEndpoints(deps: A2aDeps): Endpoint[] {
  const sends = {
    method: "POST",
    hot: true,
    startsRun: true,
    usesAgents: true,
    body: gatewayContract.a2aSendRequest,
    errorBody,
  } as const;
  const subscription = (method: "GET" | "POST") =>
    endpoint({
      method,
      path: "/a2a/tasks/:id:subscribe",
      errorBody,
      produces: SSE,
      async handler(request) {
        refuseVersion(request);
        await subscribe(request, { taskId: request.id, framing }, deps);
      },
    });
  return [
    endpoint({
      ...sends,
      path: "/a2a/message:send",
      produces: JSON_TYPES,
      async handler(request) {
        refuseVersion(request);
        const { res, body } = request;
        const answer = await sendMessage(request, { body, service: undefined }, deps);
        if (!res.destroyed) sendJson(res, answer);
      },
    }),
    endpoint({
      ...sends,
      path: "/a2a/message:stream",
      produces: SSE,
      async handler(request) {
        refuseVersion(request);
        await streamMessage(request, { body: request.body, service: undefined, framing }, deps);
      },
    }),
    endpoint({
      method: "GET",
      path: "/a2a/tasks",
      query: {
        contextId: query.id,
        status: query.text,
        pageSize: query.integer(1, 100),
        pageToken: query.text,
        historyLength: LENGTH,
        statusTimestampAfter: query.text,
        includeArtifacts: query.boolean,
      },
      errorBody,
      produces: JSON_TYPES,
      async handler(request) {
        sendJson(request.res, await pageOfTasks(request, request.query, deps));
      },
    }),
    subscription("GET"),
    subscription("POST"),
    endpoint({
      method: "POST",
      path: "/a2a/tasks/:id:cancel",
      errorBody,
      produces: JSON_TYPES,
      async handler(request) {
        sendJson(request.res, await cancelTask(request, request.id, deps));
      },
    }),
    endpoint({
      method: "GET",
      path: "/a2a/tasks/:id",
      query: { historyLength: LENGTH },
      errorBody,
      produces: JSON_TYPES,
      async handler(request: ApiRequest<{ historyLength: number }>) {
        const { head, standing } = await findTask(request, request.id, deps);
        sendJson(request.res, taskOf(head, standing, { history: request.query.historyLength !== 0 }));
      },
    }),
    ...pushEndpoints(deps),
    endpoint({
      method: "GET",
      path: "/a2a/extendedAgentCard",
      errorBody,
      produces: JSON_TYPES,
      handler(request) {
        sendJson(request.res, meshCard(request, request.caller, deps));
      },
    }),
  ];
}

/** Who hears of a task's changes. */
function pushEndpoints(deps: A2aDeps): Endpoint[] {
  const all = "/a2a/tasks/:id/pushNotificationConfigs";
  const one = `${all}/:subId`;
  const form = { errorBody, produces: JSON_TYPES };
  return [
    endpoint({
      ...form,
      method: "POST",
      path: all,
      body: gatewayContract.a2aPushRequest,
      async handler(request) {
        refuseVersion(request);
        sendJson(request.res, await createPush(request, request.id, request.body, deps));
      },
    }),
    endpoint({
      ...form,
      method: "GET",
      path: all,
      query: { pageSize: LENGTH, pageToken: query.text },
      async handler(request) {
        refuseVersion(request);
        sendJson(request.res, await listPushes(request, request.id, deps));
      },
    }),
    endpoint({
      ...form,
      method: "GET",
      path: one,
      async handler(request) {
        refuseVersion(request);
        sendJson(request.res, await getPush(request, request.id, request.subId, deps));
      },
    }),
    endpoint({
      ...form,
      method: "DELETE",
      path: one,
      async handler(request) {
        refuseVersion(request);
        await removePush(request, request.id, request.subId, deps);
        request.res.writeHead(204, COMMON_HEADERS).end();
      },
    }),
  ];
}
