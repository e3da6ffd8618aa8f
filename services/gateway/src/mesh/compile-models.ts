import type { MeshManifest, MeshModel, MeshModelProvider, MeshModelTask } from "@interlock/contracts";
import type {
  MeshModels,
  ModelBudget,
  ModelProvider,
  ModelProviderKind,
  ModelSettings,
  ModelSpec,
} from "./model.ts";

const DEFAULTS: ModelSettings = {
  maxTokens: 2_048,
  timeoutMs: 30_000,
  firstTokenMs: 10_000,
  retries: 1,
  fallbacks: [],
};

export function compileModels({ models }: MeshManifest): MeshModels {
  const tasks = Object.entries(models?.tasks ?? {}).map(([name, task]): [string, MeshModelTask] => [
    name,
    typeof task === "string" ? { model: task } : task,
  ]);
  const specs = Object.entries(models?.models ?? {}).flatMap(([name, model]): [string, ModelSpec][] => {
    const provider = models?.providers?.[model.provider];
    return provider ? [[name, compileModel(name, model, provider)]] : [];
  });
  return {
    default: models?.default ?? "rules",
    allow: models?.allow ?? ["rules"],
    tasks: Object.fromEntries(
      tasks.flatMap(([name, { model }]) => (model === undefined ? [] : [[name, model]])),
    ),
    experiments: models?.experiments ?? [],
    ...(models?.override === undefined ? {} : { override: models.override }),
    models: new Map(specs),
    settings: new Map(tasks.map(([name, task]) => [name, settingsOf(task)])),
  };
}

function compileModel(name: string, model: MeshModel, provider: MeshModelProvider): ModelSpec {
  const { prices, budget } = model;
  return {
    name,
    provider: compileProvider(model.provider, provider),
    modelId: model.model,
    settings: { ...DEFAULTS, ...settingsOf(model) },
    ...(prices
      ? {
          prices: {
            input: prices.input,
            cachedInput: prices.cached_input ?? prices.input,
            output: prices.output,
            reasoning: prices.reasoning ?? prices.output,
          },
        }
      : {}),
    ...(budget ? { budget: compileBudget(budget) } : {}),
  };
}

function settingsOf(said: MeshModelTask): Partial<ModelSettings> {
  return {
    ...(said.temperature === undefined ? {} : { temperature: said.temperature }),
    ...(said.max_tokens === undefined ? {} : { maxTokens: said.max_tokens }),
    ...(said.timeout_ms === undefined ? {} : { timeoutMs: said.timeout_ms }),
    ...(said.first_token_ms === undefined ? {} : { firstTokenMs: said.first_token_ms }),
    ...(said.retries === undefined ? {} : { retries: said.retries }),
    ...(said.fallbacks === undefined ? {} : { fallbacks: said.fallbacks }),
    ...(said.max_sentences === undefined ? {} : { maxSentences: said.max_sentences }),
  };
}

function compileBudget({
  usd_per_day,
  tokens_per_day,
  scope,
}: NonNullable<MeshModel["budget"]>): ModelBudget {
  return {
    ...(usd_per_day === undefined ? {} : { usdPerDay: usd_per_day }),
    ...(tokens_per_day === undefined ? {} : { tokensPerDay: tokens_per_day }),
    scope: scope ?? "mesh",
  };
}

function compileProvider(name: string, declared: MeshModelProvider): ModelProvider {
  const { kind, key_env } = declared;
  return {
    name,
    kind,
    baseUrl: baseUrlOf(declared),
    ...(key_env === undefined ? {} : { keyEnv: key_env }),
    structuredOutputs: declared.structured_outputs ?? true,
  };
}

const PUBLIC_URLS: Partial<Record<ModelProviderKind, string>> = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
};

/** The base URL of a provider. The schema requires an address, or for vertex a project, if there is no public one. */
export function baseUrlOf({ kind, base_url, project, location }: MeshModelProvider): string {
  const given = base_url ?? PUBLIC_URLS[kind];
  if (given !== undefined) return given.replace(/\/+$/, "");
  const host = location === "global" ? "aiplatform.googleapis.com" : `${location}-aiplatform.googleapis.com`;
  return `https://${host}/v1/projects/${project}/locations/${location}/publishers/google`;
}
