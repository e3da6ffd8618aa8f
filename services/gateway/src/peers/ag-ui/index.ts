import { gatewayContract } from "@interlock/contracts";
import { type Endpoint, endpoint } from "../../http/index.ts";
import type { AgUiDeps } from "./run.ts";
import { runAgent } from "./run.ts";

export type { AgUiDeps } from "./run.ts";

/** For user interfaces that speak AG-UI: a run of an agent is a turn with a service. */
export function agUiEndpoints(deps: AgUiDeps): Endpoint[] {
  const common = {
    method: "POST",
    startsRun: true,
    usesAgents: true,
    body: gatewayContract.agUiRunRequest,
    produces: ["text/event-stream"],
  } as const;
  return [
    endpoint({
      ...common,
      path: "/ag-ui",
      hot: true,
      handler: (request) => runAgent(request, undefined, deps),
    }),
    endpoint({ ...common, path: "/ag-ui/:id", handler: (request) => runAgent(request, request.id, deps) }),
  ];
}
