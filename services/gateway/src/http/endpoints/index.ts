import type { Endpoint } from "../endpoint.ts";
import { type AdminEndpointsDeps, adminEndpoints } from "./admin.ts";
import { type AgentChatDeps, agentChatEndpoints } from "./agent-chat.ts";
import { type ApprovalEndpointsDeps, approvalEndpoints } from "./approvals.ts";
import { type BookEndpointsDeps, bookEndpoints } from "./books.ts";
import { type ChatDeps, chatEndpoints } from "./chat.ts";
import { type FeedbackEndpointsDeps, feedbackEndpoints } from "./feedback.ts";
import { type KeyEndpointsDeps, keyEndpoints } from "./keys.ts";
import { type MeEndpointsDeps, meEndpoints } from "./me.ts";
import { type MeshEndpointsDeps, meshEndpoints } from "./mesh.ts";
import { type MessagesDeps, messagesEndpoints } from "./messages.ts";
import { type ProbeEndpointsDeps, probeEndpoints } from "./probes.ts";
import { type RunEndpointsDeps, runEndpoints } from "./runs.ts";
import { type SessionEndpointsDeps, sessionEndpoints } from "./sessions.ts";
import { type TableEndpointsDeps, tableEndpoints } from "./tables.ts";
import { type TaskEndpointsDeps, taskEndpoints } from "./tasks.ts";
import { type ToolEndpointsDeps, toolEndpoints } from "./tools.ts";
import { type UsageEndpointsDeps, usageEndpoints } from "./usage.ts";

export type EndpointDeps = AdminEndpointsDeps &
  AgentChatDeps &
  ApprovalEndpointsDeps &
  BookEndpointsDeps &
  ChatDeps &
  FeedbackEndpointsDeps &
  KeyEndpointsDeps &
  MeEndpointsDeps &
  MeshEndpointsDeps &
  MessagesDeps &
  ProbeEndpointsDeps &
  RunEndpointsDeps &
  SessionEndpointsDeps &
  TableEndpointsDeps &
  TaskEndpointsDeps &
  ToolEndpointsDeps &
  UsageEndpointsDeps & {
    /** Endpoints that do not depend on the manifest. */
    pages: readonly Endpoint[];
  };

/** The table of all endpoints. */
export function allEndpoints(deps: EndpointDeps): Endpoint[] {
  return [
    ...probeEndpoints(deps),
    ...keyEndpoints(deps),
    ...chatEndpoints(deps),
    ...agentChatEndpoints(deps),
    ...messagesEndpoints(deps),
    ...runEndpoints(deps),
    ...approvalEndpoints(deps),
    ...sessionEndpoints(deps),
    ...feedbackEndpoints(deps),
    ...meEndpoints(deps),
    ...meshEndpoints(deps),
    ...toolEndpoints(deps),
    ...usageEndpoints(deps),
    ...tableEndpoints(deps),
    ...taskEndpoints(deps),
    ...bookEndpoints(deps),
    ...adminEndpoints(deps),
    ...deps.pages,
  ];
}
