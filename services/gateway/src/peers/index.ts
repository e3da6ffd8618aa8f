import type { Endpoint } from "../http/index.ts";
import { type A2aDeps, a2aEndpoints } from "./a2a/index.ts";
import { type AgUiDeps, agUiEndpoints } from "./ag-ui/index.ts";
import type { McpDeps } from "./mcp/index.ts";
import { type OpenAiDeps, openAiEndpoints } from "./openai/index.ts";

export { Pushes } from "./a2a/index.ts";
export type PeerEndpointsDeps = OpenAiDeps & AgUiDeps & A2aDeps & Omit<McpDeps, "offersTasks">;

/** The endpoints of the protocols that the manifest enables: others do not exist. */
export async function peerEndpoints(deps: PeerEndpointsDeps): Promise<Endpoint[]> {
  const { peers } = deps.mesh;
  return [
    ...(peers.openai ? openAiEndpoints({ ...deps, ...peers.openai }) : []),
    ...(peers.a2a ? a2aEndpoints(deps) : []),
    ...(peers.agUi ? agUiEndpoints(deps) : []),
    ...(peers.mcp ? await mcpPeer({ ...deps, offersTasks: peers.mcp.tasks }) : []),
  ];
}

/** With the protocol's library, which nobody else needs. */
async function mcpPeer(deps: McpDeps): Promise<Endpoint[]> {
  const { mcpEndpoints } = await import("./mcp/index.ts");
  return mcpEndpoints(deps);
}
