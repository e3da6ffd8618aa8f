import { randomUUID } from "node:crypto";
import { Agent } from "undici";
import { type ModelServer, startModelServer } from "../../../../../scripts/model-server/server.ts";
import { closingAtEnd } from "../../../test/support/closing.ts";
import { testRedis } from "../../../test/support/redis.ts";
import type { MeshModels, ModelProviderKind, ModelSpec } from "../../mesh/index.ts";
import { connect, type RedisClient, UsageStore } from "../../store/index.ts";
import { ModelError } from "../model-error.ts";
import { ModelGateway, type ModelGatewayDeps } from "../model-gateway.ts";
import { Prompts } from "../prompts/index.ts";
import type { Attempt, CallReport, GenerateCall, ModelAnswer, ModelPart } from "../types.ts";
import { UsageLedger, type UsageLedgerDeps } from "../usage-ledger.ts";

/** A model as a test writes it: its name at the server is its behaviour. */
export type TestModel = Partial<Omit<ModelSpec, "settings">> & {
  does: string;
  kind?: ModelProviderKind;
  settings?: Partial<ModelSpec["settings"]>;
};

const SETTINGS = { maxTokens: 64, timeoutMs: 20_000, firstTokenMs: 20_000, retries: 0, fallbacks: [] };

/** @param models by name; the first one is the default */
export function meshOf(url: string, models: Readonly<Record<string, TestModel>>): MeshModels {
  const names = Object.keys(models);
  const specs = Object.entries(models).map(
    ([name, { does, kind, settings, ...rest }]): [string, ModelSpec] => [
      name,
      {
        name,
        provider: { name: "test", kind: kind ?? "openai_compatible", baseUrl: url, structuredOutputs: true },
        modelId: does,
        ...rest,
        settings: { ...SETTINGS, ...settings },
      },
    ],
  );
  return {
    default: names[0] ?? "rules",
    allow: ["rules", ...names],
    tasks: {},
    experiments: [],
    models: new Map(specs),
    settings: new Map(),
  };
}

export type TestModels = {
  gateway: ModelGateway;
  attempts: Attempt[];
  reports: CallReport[];
};

/** What a file of tests shares: a model server over real HTTP, a store, and gateways over both. */
export function modelTests() {
  const keep = closingAtEnd();
  const dispatcher = new Agent();
  keep({ stop: () => dispatcher.destroy() });
  let server: ModelServer;
  let redis: RedisClient;
  let ledger: UsageLedger;
  const openLedger = (deps: Partial<UsageLedgerDeps> = {}): UsageLedger => {
    const opened = new UsageLedger({
      store: new UsageStore(redis),
      chargeRun: () => undefined,
      tokensPerDay: () => undefined,
      onTrouble: (_, error) => {
        throw error;
      },
      ...deps,
    });
    keep({ stop: () => opened.idle() });
    return opened;
  };
  return {
    /** What one replica records. */
    openLedger,
    async start(): Promise<void> {
      server = keep(await startModelServer());
      const { url } = keep(await testRedis());
      const connections = connect(url, () => undefined);
      keep({ stop: () => connections.close() });
      redis = connections.commands;
      ledger = openLedger();
    },
    get server(): ModelServer {
      return server;
    },
    get redis(): RedisClient {
      return redis;
    },
    /** One replica. */
    open(models: Readonly<Record<string, TestModel>>, deps: Partial<ModelGatewayDeps> = {}): TestModels {
      const attempts: Attempt[] = [];
      const reports: CallReport[] = [];
      const gateway = new ModelGateway({
        models: meshOf(server.url, models),
        dispatcher,
        secret: () => undefined,
        ledger,
        prompts: new Prompts(),
        countTokens: async (texts) => Math.ceil(texts.join("").length / 4),
        observer: {
          onAttempt: (_, attempt) => attempts.push(attempt),
          onCall: (report) => reports.push(report),
        },
        random: () => 0,
        ...deps,
      });
      return { gateway, attempts, reports };
    },
  };
}

/** A name that the server has not counted requests of yet. */
export function fresh(behaviour: string): string {
  return `${behaviour}+n${randomUUID().slice(0, 8)}`;
}

export function callOf(more: Partial<GenerateCall> = {}): GenerateCall {
  return {
    task: "test",
    messages: [{ role: "user", content: "one two three four five six seven eight" }],
    caller: { tenant: "acme", issuer: "local", subject: "ann" },
    sessionId: "s1",
    ...more,
  };
}

/** What a stream told: its parts, and the error that ended it. */
export async function drained(
  parts: AsyncIterable<ModelPart>,
): Promise<{ text: string; parts: ModelPart[]; answer?: ModelAnswer; error?: unknown }> {
  const told: ModelPart[] = [];
  let error: unknown;
  try {
    for await (const part of parts) told.push(part);
  } catch (thrown) {
    error = thrown;
  }
  const text = told.flatMap((part) => (part.type === "text" ? part.text : [])).join("");
  const last = told.at(-1);
  return {
    text,
    parts: told,
    ...(last?.type === "final" ? { answer: last.answer } : {}),
    ...(error === undefined ? {} : { error }),
  };
}

export async function errorOf(work: Promise<unknown>): Promise<ModelError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

/** Model and outcome of each attempt. */
export function outcomes(attempts: readonly Attempt[]): string[] {
  return attempts.map(({ model, outcome }) => `${model}: ${outcome}`);
}
