import type { Endpoint } from "../http/index.ts";
import { type McpDeps, mcpEndpoints } from "./mcp/index.ts";
import { type OpenAiDeps, openAiEndpoints } from "./openai/index.ts";

export type PeerEndpointsDeps = OpenAiDeps & Omit<McpDeps, "offersTasks">;

/** The endpoints of the protocols that the manifest enables: others do not exist. */
export function peerEndpoints(deps: PeerEndpointsDeps): Endpoint[] {
  const { peers } = deps.mesh;
  return [
    ...(peers.openai ? openAiEndpoints({ ...deps, ...peers.openai }) : []),
    ...(peers.mcp ? mcpEndpoints({ ...deps, offersTasks: peers.mcp.tasks }) : []),
  ];
}
