import type { Logger } from "pino";
import type { Dispatcher } from "undici";
import type { Config } from "../config.ts";
import { Memory, TokenCounter } from "../conversation/index.ts";
import type { Metrics } from "../metrics.ts";
import { type ModelGatewayDeps, modelLine, Prompts, UsageLedger } from "../models/index.ts";
import type { Serving } from "../serving.ts";
import type { Stores } from "./stores.ts";

type ModelsDeps = {
  config: Config;
  stores: Stores;
  outbound: Dispatcher;
  secret: ModelGatewayDeps["secret"];
  metrics: Metrics;
  logger: Logger;
  /** What serves by the current edition, once there is one. */
  serving: () => Serving;
  chargeRun: ConstructorParameters<typeof UsageLedger>[0]["chargeRun"];
  tokensPerDay: () => number | undefined;
  onTrouble: (where: string, error: unknown) => void;
};

/** What models are asked with, the account of what they use, and the memory of sessions, which they may summarise. */
export function modelsPart(deps: ModelsDeps) {
  const { config, stores, outbound, secret, metrics, logger, serving, onTrouble } = deps;
  const tokens = new TokenCounter();
  const countTokens: ModelGatewayDeps["countTokens"] = (texts) => tokens.count(texts);
  const ledger = new UsageLedger({ ...deps, store: stores.usage });
  const memory = new Memory({
    store: stores.sessions,
    countTokens,
    summarise: async (...turn) => await serving().summarise?.(...turn),
    limits: config,
    onTrouble,
  });
  const gateway: Omit<ModelGatewayDeps, "models"> = {
    dispatcher: outbound,
    secret,
    ledger,
    prompts: new Prompts(),
    countTokens,
    capturesMessages: config.capturesMessages,
    observer: {
      onAttempt: metrics.models.onAttempt,
      onCall: (report) => {
        metrics.models.onCall(report);
        logger.info(modelLine(report), "model asked");
      },
      onBreaker: metrics.models.onBreaker,
    },
  };
  return {
    gateway,
    memory,
    ledger,
    async stop(): Promise<void> {
      await Promise.all([memory.idle(), ledger.idle()]);
      await tokens.close();
    },
  };
}
