import { GatewayError } from "../../errors.ts";
import { type Endpoint, endpoint, sendJson } from "../../http/index.ts";
import { meshCard, serviceCard } from "./card.ts";
import { rpcErrorBody } from "./error.ts";
import { restEndpoints } from "./rest.ts";
import { call, serveCall } from "./rpc.ts";
import type { A2aDeps } from "./send.ts";

export { Pushes, type PushesDeps } from "./pushes.ts";
export type { A2aDeps } from "./send.ts";

/** For agents of others that speak A2A: the mesh is an agent, and so is each service. A task is a run, a context is a session. */
export function a2aEndpoints(deps: A2aDeps): Endpoint[] {
  const calls = {
    method: "POST",
    startsRun: true,
    usesAgents: true,
    body: call,
    errorBody: (error: GatewayError) => rpcErrorBody(error),
    produces: ["application/json", "text/event-stream"],
  } as const;
  return [
    endpoint({
      method: "GET",
      path: "/.well-known/agent-card.json",
      auth: "none",
      handler(request) {
        sendJson(request.res, meshCard(request, undefined, deps));
      },
    }),
    ...restEndpoints(deps),
    endpoint({
      method: "GET",
      path: "/a2a/:id/.well-known/agent-card.json",
      handler(request) {
        const card = serviceCard(request, request.id, deps);
        if (!card) throw new GatewayError("not_found");
        sendJson(request.res, card);
      },
    }),
    endpoint({
      ...calls,
      path: "/a2a",
      hot: true,
      handler: (request) => serveCall(request, undefined, deps),
    }),
    // Last, so that no service is called like what the REST binding has.
    endpoint({ ...calls, path: "/a2a/:id", handler: (request) => serveCall(request, request.id, deps) }),
  ];
}
