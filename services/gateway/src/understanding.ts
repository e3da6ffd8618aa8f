import { secretOf } from "@interlock/contracts/settings";
import { Agent } from "undici";
import { readConfig } from "./config.ts";
import type { Constraint } from "./constraint.ts";
import {
  askModel,
  type Language,
  learntIntents,
  type OfflineConversation,
  offlineConversation,
} from "./conversation/index.ts";
import { echoSlots, type LearntReader, loadReader } from "./language/index.ts";
import { LargeValues, loadMesh, slotsOf } from "./mesh/index.ts";
import { type CallReport, ModelGateway, Prompts } from "./models/index.ts";

export type { HeardTurn } from "./conversation/index.ts";
export type { CallReport } from "./models/index.ts";

type Inputs = Readonly<Record<string, unknown>>;
type Env = Readonly<Record<string, string | undefined>>;

/**
 * The gateway's understanding alone: no network, no store, no agent. Evaluations use it.
 * @returns what begins a conversation over the given inputs; without inputs it is about the flow's own
 * @throws MeshError, ConfigError
 */
export function offlineUnderstanding(flow: string, env: Env): (inputs?: Inputs) => OfflineConversation {
  const { mesh, intentThreshold } = meshOf(env);
  const reader = loadReader();
  return (inputs) => offlineConversation({ mesh, flow, inputs, intentThreshold, reader });
}

/**
 * The same where a flow may have no models of its own.
 * @param options.reader the learnt one, if it is not the one that ships
 * @param options.byExamples what is asked for is learnt from the examples of the manifest, whatever models the flow has
 */
export async function pairedUnderstanding(
  name: string,
  env: Env,
  { reader = loadReader(), byExamples = false }: { reader?: LearntReader; byExamples?: boolean } = {},
): Promise<(inputs?: Inputs) => OfflineConversation> {
  const { mesh, intentThreshold } = meshOf(env);
  const flow = mesh.flows.get(name);
  const intents = flow && ((byExamples ? undefined : flow.intents) ?? (await learntIntents(flow, mesh)));
  return (inputs) => offlineConversation({ mesh, flow: name, inputs, intentThreshold, intents, reader });
}

/** By flow that is asked in words, what the manifest gives as examples of its goals, with the goal. */
export function examplesOf(env: Env): ReadonlyMap<string, readonly { goal: string; text: string }[]> {
  const { mesh } = meshOf(env);
  const flows = [...mesh.flows.values()].filter(({ slots }) => slots);
  return new Map(
    flows.map(({ name, goals }) => [
      name,
      [...mesh.services.values()].flatMap(({ name: goal, examples }) =>
        goals.has(goal) ? examples.map((text) => ({ goal, text })) : [],
      ),
    ]),
  );
}

/** How the gateway says what constrains an answer. */
export function sayingOf(
  name: string,
  env: Env,
): (constraints: readonly Constraint[], language: Language) => string {
  const flow = meshOf(env).mesh.flows.get(name);
  const declared = flow?.slots?.slots ?? [];
  return (constraints, language) => (flow ? echoSlots(slotsOf(flow, constraints), declared, language) : "");
}

export type OpinionatedUnderstanding = {
  begin: (inputs?: Inputs) => OfflineConversation;
  stop: () => Promise<void>;
};

/**
 * The same, and a model of the manifest reads each message first, as in the gateway. Nothing is charged to anybody.
 * @param onCall hears of every call
 */
export async function understandingWithModels(
  flow: string,
  env: Env,
  onCall: (report: CallReport) => void,
): Promise<OpinionatedUnderstanding> {
  const { mesh, intentThreshold } = meshOf(env);
  const dispatcher = new Agent();
  const prompts = new Prompts();
  const models = new ModelGateway({
    models: mesh.models,
    dispatcher,
    secret: (variable) => secretOf(env, variable),
    ledger: UNLIMITED,
    prompts,
    countTokens: async (texts) => texts.reduce((sum, text) => sum + text.length, 0) / 4,
    observer: { onCall },
  });
  await models.load();
  const ask = askModel({ mesh, models, prompts });
  const reader = loadReader();
  return {
    begin: (inputs) => offlineConversation({ mesh, flow, inputs, intentThreshold, reader, askModel: ask }),
    stop: () => dispatcher.close(),
  };
}

const UNLIMITED = {
  reserve: async () => undefined,
  isSpent: async () => false,
  recordAttempt: async () => undefined,
};

function meshOf(env: Env) {
  const config = readConfig(env);
  // Understanding looks into no large value, so that no process is started.
  const mesh = loadMesh(config.meshFile, env, new LargeValues(config));
  return { mesh, intentThreshold: config.intentThreshold };
}
