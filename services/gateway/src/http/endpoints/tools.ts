import type { ListedMcp, ListedMcpTool } from "@interlock/contracts";
import type { Caller } from "../../caller.ts";
import type { Access } from "../../identity/index.ts";
import type { Tools } from "../../tools/index.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { query } from "../query.ts";
import { sendJson } from "../respond.ts";
import { refuseOtherUser } from "./parameters.ts";

export type ToolEndpointsDeps = { access: Access; tools: Tools };

/** The MCP servers and their tools, as far as the caller may use them; each under a short path, too. */
export function toolEndpoints({ access, tools }: ToolEndpointsDeps): Endpoint[] {
  const mcpsFor = (caller: Caller): ListedMcp[] => {
    // Addresses are for those who operate the mesh.
    const isAdmin = access.may(caller, "administer", { kind: "admin" });
    return tools.listServers(caller).map(({ name, description, url, status, tools, quarantined }) => ({
      ...{ id: name, name, description, tools, quarantined, status, enabled: status === "ready" },
      ...(isAdmin ? { endpoint: url } : {}),
    }));
  };
  const toolsFor = (caller: Caller, mcp: string | undefined): ListedMcpTool[] =>
    tools
      .list(caller, mcp)
      .map(({ server, flags, ...tool }) => ({ ...tool, mcp_id: server, flags: [...flags] }));
  return [
    ...["/api/v1/mcps", "/mcps"].map((path) =>
      endpoint({
        method: "GET",
        path,
        query: { user_id: query.text },
        handler({ res, caller, query: { user_id } }) {
          refuseOtherUser(caller, user_id);
          const mcps = mcpsFor(caller);
          sendJson(res, { mcps, count: mcps.length });
        },
      }),
    ),
    ...["/api/v1/tools", "/tools"].map((path) =>
      endpoint({
        method: "GET",
        path,
        query: { mcp_id: query.text, user_id: query.text },
        handler({ res, caller, query: { mcp_id, user_id } }) {
          refuseOtherUser(caller, user_id);
          const listed = toolsFor(caller, mcp_id);
          sendJson(res, { tools: listed, count: listed.length });
        },
      }),
    ),
  ];
}
