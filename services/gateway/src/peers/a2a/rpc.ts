import { compileSchema, gatewayContract, type Validator } from "@interlock/contracts";
import { type ApiRequest, headerOf, query, sendJson, toGatewayError, valid } from "../../http/index.ts";
import { meshCard, serviceCard, VERSION } from "./card.ts";
import { A2aError, noSuchTask, RpcError, rpcErrorBody } from "./error.ts";
import type { Framing } from "./events.ts";
import { createPush, getPush, listPushes, pushesOf, removePush } from "./push.ts";
import { type A2aDeps, sendMessage, streamMessage, subscribe } from "./send.ts";
import { taskOf } from "./task.ts";
import { cancelTask, findTask, listTasks } from "./tasks.ts";

export type Call = { id?: unknown; method?: string; params?: unknown };

export const call = compileSchema<Call>({
  type: "object",
  required: ["jsonrpc", "method"],
  properties: {
    jsonrpc: { const: "2.0" },
    method: { type: "string" },
    params: { type: "object" },
    id: { type: ["string", "integer", "null"] },
  },
});

const ID = { type: "string", maxLength: 128 };
const named = compileSchema<{ id: string; historyLength?: number }>({
  type: "object",
  required: ["id"],
  properties: { id: ID, historyLength: { type: "integer", minimum: 0 } },
});

const ofTask = compileSchema<{ taskId: string; id?: string }>({
  type: "object",
  required: ["taskId"],
  properties: { taskId: ID, id: ID },
});

export type ListParams = {
  contextId?: string;
  status?: string;
  pageSize?: number;
  pageToken?: string;
  historyLength?: number;
  statusTimestampAfter?: string;
  includeArtifacts?: boolean;
};

const listed = compileSchema<ListParams>({
  type: "object",
  properties: {
    contextId: ID,
    status: { type: "string", maxLength: 64 },
    pageSize: { type: "integer", minimum: 1, maximum: 100 },
    pageToken: ID,
    historyLength: { type: "integer", minimum: 0 },
    statusTimestampAfter: { type: "string", format: "date-time" },
    includeArtifacts: { type: "boolean" },
  },
});

const MOST_PAGE = 50;

/** One page of tasks, as a list's parameters ask for it. */
export async function pageOfTasks(request: ApiRequest, params: ListParams, deps: A2aDeps): Promise<object> {
  const { contextId, status, pageSize = MOST_PAGE, pageToken, historyLength } = params;
  const { statusTimestampAfter: since, includeArtifacts = false } = params;
  return await listTasks(
    request,
    {
      limit: pageSize,
      before: pageToken ? query.cursor(pageToken, "pageToken") : undefined,
      contextId: contextId || undefined,
      state: status || undefined,
      since: since ? Date.parse(since) : undefined,
      artifacts: includeArtifacts,
      history: historyLength !== undefined && historyLength > 0,
    },
    deps,
  );
}

/** Answers one call of the JSON-RPC binding. @param service whose agent is called; absent: the mesh */
export async function serveCall(
  request: ApiRequest<object, Call>,
  service: string | undefined,
  deps: A2aDeps,
): Promise<void> {
  const { res, body } = request;
  const { id = null } = body;
  try {
    refuseVersion(request);
    const result = await answer(request, service, deps);
    if (result && !res.destroyed) sendJson(res, { jsonrpc: "2.0", id, result });
  } catch (error) {
    throw new RpcError(id, toGatewayError(error));
  }
}

/** @returns the result; undefined where a stream answers */
async function answer(
  request: ApiRequest<object, Call>,
  service: string | undefined,
  deps: A2aDeps,
): Promise<object | undefined> {
  const { method = "", params = {}, id = null } = request.body;
  const read = <T>(validator: Validator<T>): T => valid(validator, params);
  const framing: Framing = {
    event: (result) => `data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`,
    error: (error) => `data: ${JSON.stringify(rpcErrorBody(error, id))}\n\n`,
  };
  switch (method) {
    case "SendMessage":
      return await sendMessage(request, { body: read(gatewayContract.a2aSendRequest), service }, deps);
    case "SendStreamingMessage":
      await streamMessage(request, { body: read(gatewayContract.a2aSendRequest), service, framing }, deps);
      return undefined;
    case "SubscribeToTask":
      await subscribe(request, { taskId: read(named).id, framing }, deps);
      return undefined;
    case "GetTask": {
      const { id: taskId, historyLength } = read(named);
      const { head, standing } = await findTask(request, taskId, deps);
      return taskOf(head, standing, { history: historyLength !== 0 });
    }
    case "ListTasks":
      return await pageOfTasks(request, read(listed), deps);
    case "CancelTask":
      return await cancelTask(request, read(named).id, deps);
    case "GetExtendedAgentCard": {
      if (request.admitted) await request.admitted;
      if (service === undefined) return meshCard(request, request.caller, deps);
      const card = serviceCard(request, service, deps);
      if (!card) throw noSuchTask();
      return card;
    }
    case "CreateTaskPushNotificationConfig": {
      pushesOf(deps);
      const sent = read(gatewayContract.a2aPushRequest);
      return await createPush(request, sent.taskId ?? "", sent, deps);
    }
    case "GetTaskPushNotificationConfig": {
      pushesOf(deps);
      const { taskId, id: receiver } = read(ofTask);
      return await getPush(request, taskId, receiver ?? "", deps);
    }
    case "ListTaskPushNotificationConfigs":
      pushesOf(deps);
      return await listPushes(request, read(ofTask).taskId, deps);
    case "DeleteTaskPushNotificationConfig": {
      pushesOf(deps);
      const { taskId, id: receiver } = read(ofTask);
      await removePush(request, taskId, receiver ?? "", deps);
      return {};
    }
    default:
      throw new A2aError("METHOD_NOT_FOUND", "invalid_request", "There is no such method.");
  }
}

/** @throws A2aError where a client speaks a version that has other methods */
export function refuseVersion({ req }: Pick<ApiRequest, "req">): void {
  const version = headerOf(req, "a2a-version");
  if (version !== undefined && version.split(".")[0] !== VERSION.split(".")[0])
    throw new A2aError("VERSION_NOT_SUPPORTED", "invalid_request", `The version is ${VERSION}.`);
}
