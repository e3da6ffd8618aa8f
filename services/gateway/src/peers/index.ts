import type { Endpoint } from "../http/index.ts";
import type { McpDeps } from "./mcp/index.ts";
import { type OpenAiDeps, openAiEndpoints } from "./openai/index.ts";

export type PeerEndpointsDeps = OpenAiDeps & McpDeps;

/** The endpoints of the protocols that the manifest enables: others do not exist. */
export async function peerEndpoints(deps: PeerEndpointsDeps): Promise<Endpoint[]> {
  const { peers } = deps.mesh;
  // With the protocol's library, which nobody else needs.
  const mcp = peers.mcp ? await import("./mcp/index.ts") : undefined;
  return [
    ...(peers.openai ? openAiEndpoints({ ...deps, ...peers.openai }) : []),
    ...(mcp?.mcpEndpoints(deps) ?? []),
  ];
}
