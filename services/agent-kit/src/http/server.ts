import { createServer, type Server } from "node:http";
import type { Agent } from "../types.ts";

export type RunningServer = {
  readonly url: string;
  readonly port: number;
  /** Drains the agent, then closes every connection. */
  stop(graceMs: number): Promise<void>;
};

/** Longer than balancers keep theirs, so that none sends a request into a closing connection. */
const KEEP_ALIVE_MS = 65_000;
const REQUEST_MS = 120_000;
/** For connections that are still sending something that was refused. */
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

/** Rejects with the server's own error where it cannot listen (`EADDRINUSE`). */
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
      // It listens while it drains: a readiness probe is to be told, and a late request to be refused politely.
      await agent.drain(graceMs);
      const closed = new Promise((resolve) => server.close(resolve));
      const impatient = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
      await closed;
      clearTimeout(impatient);
    },
  };
}
