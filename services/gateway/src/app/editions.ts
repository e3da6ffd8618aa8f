import type { Logger } from "pino";
import { Upstreams } from "../agents/index.ts";
import type { Config } from "../config.ts";
import { Editions, type EditionsDeps } from "../editions.ts";
import { Egress } from "../egress/index.ts";
import { describeError } from "../http/index.ts";
import { dispatchSigner, remoteSigner, type SigningKeys } from "../identity/index.ts";
import type { Metrics } from "../metrics.ts";
import type { UsageLedger } from "../models/index.ts";
import type { GateDeps } from "../serving.ts";
import type { Stores } from "./stores.ts";

type PartDeps = Pick<EditionsDeps, "manifest" | "serve" | "onTrouble"> & {
  tools: Pick<EditionsDeps["tools"], "secret" | "isInjection">;
  config: Config;
  checks: GateDeps;
  stores: Stores;
  keys: SigningKeys;
  ledger: UsageLedger;
  metrics: Metrics;
  large: NonNullable<EditionsDeps["remotes"]["large"]>;
  logger: Logger;
};

/** The manifest as it is now and as runs began with it, and the connections to agents and other gateways. */
export function editionsPart(deps: PartDeps) {
  const { config, checks, stores, keys, ledger, metrics, large, logger, tools, ...others } = deps;
  const upstreams = new Upstreams({ observer: metrics.agents });
  // Roles and limits are the mesh's as it is now, also for runs of an earlier edition.
  const editions: Editions = new Editions({
    ...checks,
    ...others,
    egressOf: ({ egress: rules }) =>
      new Egress({
        rules,
        proxy: config.egressProxy,
        onRefused: (refused) => logger.error(refused, "a connection is not allowed by the manifest"),
      }),
    agents: {
      upstreams,
      sign: dispatchSigner({
        keys,
        issuer: config.issuer,
        rowsOf: (caller) => editions.serving.access.rowsOf(caller),
      }),
      observer: metrics.agents,
      allowance: {
        take: ({ caller, agent, task }) =>
          caller && editions.serving.agentRates.take(caller.tenant, agent, task),
        used: (request, usage) => ledger.recordReport(request, usage),
      },
      large,
    },
    remotes: {
      gatewayId: keys.id,
      sign: remoteSigner({ keys, issuer: config.issuer }),
      observer: metrics.agents,
      large,
    },
    tools: {
      ...tools,
      onServer: (server, status, cause) =>
        logger.info({ server, status, cause: describeError(cause) }, "an MCP server has another status"),
      onQuarantine: (tool) => logger.warn({ tool }, "a tool of which nobody has accepted the definition"),
    },
    store: stores.editions,
    audit: stores.audit,
    logger,
  });
  return {
    editions,
    async stop(): Promise<void> {
      await editions.close();
      upstreams.close();
    },
  };
}
