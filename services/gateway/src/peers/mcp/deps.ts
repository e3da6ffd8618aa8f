import type { Tool } from "@modelcontextprotocol/server";
import type { PeerDeps } from "../peer.ts";

export type McpDeps = PeerDeps & {
  /** Whether tasks are tools, beside the services. */
  offersTasks: boolean;
  /** The agents of the mesh as they describe themselves. */
  registry: {
    /** The schemas of a task, by the last valid card that its agent served. */
    schemas(agent: string, task: string): { inputs?: Tool["inputSchema"]; outputs?: Tool["inputSchema"] };
    /** The agent for a task, of those that are allowed. */
    agentFor(task: string, isAllowed: (agent: string) => boolean): { name: string } | undefined;
  };
  /** Whether a Host header names this gateway, as far as that can be known. */
  isOwnHost: (host: string | undefined) => boolean;
};
