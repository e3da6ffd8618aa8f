import type { Endpoint } from "../endpoint.ts";
import { type AdminEndpointsDeps, adminEndpoints } from "./admin.ts";
import { type ApprovalEndpointsDeps, approvalEndpoints } from "./approvals.ts";
import { type ChatDeps, chatEndpoints } from "./chat.ts";
import { type KeyEndpointsDeps, keyEndpoints } from "./keys.ts";
import { type MeshEndpointsDeps, meshEndpoints } from "./mesh.ts";
import { type ProbeEndpointsDeps, probeEndpoints } from "./probes.ts";
import { type RunEndpointsDeps, runEndpoints } from "./runs.ts";
import { type SessionEndpointsDeps, sessionEndpoints } from "./sessions.ts";
import { type TaskEndpointsDeps, taskEndpoints } from "./tasks.ts";

export type EndpointDeps = AdminEndpointsDeps &
  ApprovalEndpointsDeps &
  ChatDeps &
  KeyEndpointsDeps &
  MeshEndpointsDeps &
  ProbeEndpointsDeps &
  RunEndpointsDeps &
  SessionEndpointsDeps &
  TaskEndpointsDeps;

/** The table of all endpoints. */
export function allEndpoints(deps: EndpointDeps): Endpoint[] {
  return [
    ...probeEndpoints(deps),
    ...keyEndpoints(deps),
    ...chatEndpoints(deps),
    ...runEndpoints(deps),
    ...approvalEndpoints(deps),
    ...sessionEndpoints(deps),
    ...meshEndpoints(deps),
    ...taskEndpoints(deps),
    ...adminEndpoints(deps),
  ];
}
