import { createServer, type Server } from "node:http";
import type { Agent } from "../types.ts";

export type RunningServer = {
  readonly url: string;
  readonly port: number;
  /** Drains the agent, then closes every connection. */
  stop(graceMs: number): Promise<void>;
};

/** Longer than load balancers keep idle connections, so that none sends a request on a connection that is closing. */
const KEEP_ALIVE_MS = 65_000;
const REQUEST_MS = 120_000;
/** How long connections may take that are still sending a refused body. */
const CLOSE_MS = 500;

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Rejects with Node's own error if it cannot listen, such as `EADDRINUSE`. */
export async function startServer(agent: Agent, port: number, host: string): Promise<RunningServer> {
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: KEEP_ALIVE_MS + 1000, requestTimeout: REQUEST_MS },
    agent.app,
  );
  await listening(server, port, host);
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  const hostInUrl = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${hostInUrl}:${bound}`,
    port: bound,
    async stop(graceMs) {
      // Keep listening while draining: readiness probes get 503, and late requests a proper refusal.
      await agent.drain(graceMs);
      const closed = new Promise((resolve) => server.close(resolve));
      const closing = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
      await closed;
      clearTimeout(closing);
    },
  };
}
