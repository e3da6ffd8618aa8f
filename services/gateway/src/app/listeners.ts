import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Editions } from "../editions.ts";
import { createApiServer, type SseStreams } from "../http/index.ts";
import type { Metrics } from "../metrics.ts";

/** When readers come back after this replica has ended their streams. */
const RECONNECT = { leastMs: 250, mostMs: 1_250 };

type ListenersDeps = {
  config: Config;
  editions: Editions;
  metrics: Metrics;
  logger: Logger;
  streams: SseStreams;
  /** Answers the requests that wait for a run on another replica. */
  endWaits: () => Promise<void>;
};

/** The servers of the API and of the metrics. */
export function listenersPart({ config, editions, metrics, logger, streams, endWaits }: ListenersDeps) {
  const listening = {
    observe: metrics.observeRequest,
    logger,
    maxConnections: config.maxConnections,
    onRefused: () => metrics.connectionsRefused.inc(),
  };
  const server = createApiServer({ ...listening, api: (req, res) => editions.serving.api(req, res) });
  const scraped = createApiServer({ ...listening, api: (req, res) => editions.serving.scraped(req, res) });
  return {
    /** @throws an Error with a `code` such as EADDRINUSE; no server listens then */
    async start(): Promise<{ url: string; metricsUrl?: string }> {
      try {
        await listen(server, config.host, config.port);
        const url = urlOf(server, config.host);
        if (config.metricsPort === undefined) return { url };
        await listen(scraped, config.host, config.metricsPort);
        return { url, metricsUrl: urlOf(scraped, config.host) };
      } catch (error) {
        server.close();
        throw error;
      }
    },
    async stop(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      streams.endAll(RECONNECT);
      const unread = endWaits();
      scraped.close();
      scraped.closeAllConnections();
      server.closeIdleConnections();
      const forced = setTimeout(() => server.closeAllConnections(), 1_000);
      await closed;
      clearTimeout(forced);
      await unread;
    },
  };
}

function urlOf(server: Server, host: string): string {
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
