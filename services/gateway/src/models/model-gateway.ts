import { setTimeout as sleep } from "node:timers/promises";
import { compileSchema, type ListedModel } from "@interlock/contracts";
import type { BreakerOptions } from "../breaker.ts";
import type { Caller } from "../caller.ts";
import type { MeshModels, ModelSettings } from "../mesh/index.ts";
import { addUsage, NO_USAGE, type UsageAmounts } from "../store/index.ts";
import type { Piece, Said } from "./attempt.ts";
import { type Asking, Attempts } from "./attempts.ts";
import { chooseModel } from "./choose.ts";
import { AttemptFailure } from "./failure.ts";
import { ModelError } from "./model-error.ts";
import type { Prompts } from "./prompts/index.ts";
import type { Question } from "./sdk-prompt.ts";
import { checkedObject, repairQuestion } from "./structured.ts";
import { Target, type TargetDeps } from "./target.ts";
import type {
  Attempt,
  CallReport,
  GenerateCall,
  ModelAnswer,
  ModelCall,
  ModelObserver,
  ModelPart,
} from "./types.ts";
import type { CountTokens } from "./usage.ts";
import type { UsageLedger } from "./usage-ledger.ts";

export type ModelGatewayDeps = Omit<TargetDeps, "breaker"> & {
  models: MeshModels;
  ledger: Pick<UsageLedger, "reserve" | "isSpent" | "recordAttempt">;
  prompts: Prompts;
  countTokens: CountTokens;
  observer?: ModelObserver;
  capturesMessages?: boolean;
  breaker?: Pick<BreakerOptions, "failures" | "restMs">;
  random?: () => number;
};

/** The first pause before a retry; it is drawn between half of it and all of it. */
const BACKOFF_MS = 300;
/** If a provider asks to wait longer than this, ask another model instead. */
const LONGEST_WAIT_MS = 2_000;

/**
 * Asks the models of the mesh: the one that the policy chooses, and where that cannot answer its fallbacks, as long as nothing of an
 * answer was passed on.
 */
export class ModelGateway {
  readonly #models: MeshModels;
  readonly #targets: ReadonlyMap<string, Target>;
  readonly #attempts: Attempts;
  readonly #deps: ModelGatewayDeps;
  readonly #random: () => number;

  constructor(deps: ModelGatewayDeps) {
    const { models, observer, breaker = { failures: 5, restMs: 30_000 }, random = Math.random } = deps;
    this.#deps = deps;
    this.#models = models;
    this.#attempts = new Attempts(deps);
    this.#random = random;
    this.#targets = new Map(
      Array.from(models.models, ([name, spec]) => {
        const onState: BreakerOptions["onState"] = (state) => observer?.onBreaker?.(name, state);
        return [name, new Target(spec, { ...deps, breaker: { ...breaker, recovery: "request", onState } })];
      }),
    );
  }

  /** Loads what the models need, so that the first call does not hold the event loop. */
  async load(): Promise<void> {
    for (const target of this.#targets.values()) await target.load();
  }

  /** Whether a model would be asked for this task: with `rules`, or a model that agents alone know, there is nobody to ask. */
  asks(call: Pick<ModelCall, "task" | "hint" | "sessionId">): boolean {
    return this.#targets.has(this.#choose(call).chosen);
  }

  /** The whole answer. @throws ModelError AGT_002, model_refused, model_output_invalid, cancelled; GatewayError store_unavailable */
  async generate(call: GenerateCall): Promise<ModelAnswer> {
    const pieces = this.#answer(call, "whole");
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) return value;
    }
  }

  /**
   * The answer as it is made. Where the reader stops early, the request to the model is ended.
   * @throws ModelError as {@link generate}, and model_interrupted once something was told
   */
  async *stream(call: ModelCall): AsyncGenerator<ModelPart, void> {
    const answer = yield* this.#answer(call, "streamed");
    yield { type: "final", answer };
  }

  /** Which of these models would be asked now, and why the others would not. @throws never */
  async list(names: readonly string[], { tenant }: Pick<Caller, "tenant">): Promise<ListedModel[]> {
    return await Promise.all(
      names.map(async (id): Promise<ListedModel> => {
        const listed = { id, default: id === this.#models.default };
        const target = this.#targets.get(id);
        if (!target) return listed;
        const reason = await this.#ailment(target, tenant);
        return reason === undefined ? { ...listed, healthy: true } : { ...listed, healthy: false, reason };
      }),
    );
  }

  async #ailment(target: Target, tenant: string): Promise<ListedModel["reason"]> {
    if (!target.hasKey) return "no_key";
    if (target.breaker.refuses) return "breaker_open";
    try {
      return (await this.#deps.ledger.isSpent(target.spec, tenant)) ? "budget_spent" : undefined;
    } catch {
      return "unknown";
    }
  }

  #choose({ hint, task, sessionId = "" }: Pick<ModelCall, "task" | "hint" | "sessionId">) {
    return chooseModel(this.#models, { hint, task, session: sessionId });
  }

  async *#answer(call: GenerateCall, kind: Asking["kind"]): AsyncGenerator<Piece, ModelAnswer> {
    const startedAt = performance.now();
    const choice = this.#choose(call);
    const asking: Asking = { call, kind, attempts: [], emitted: false };
    let outcome: CallReport["outcome"] = "cancelled";
    let answered: string | undefined;
    try {
      const answer = yield* this.#fromFirstThatCan(asking, choice.chosen);
      outcome = "ok";
      answered = answer.model;
      return { ...answer, choice, attempts: asking.attempts, used: sumOf(asking.attempts) };
    } catch (error) {
      outcome = "unavailable";
      if (error instanceof AttemptFailure) outcome = asking.emitted ? "interrupted" : error.code;
      throw error instanceof AttemptFailure ? toModelError(error, asking) : error;
    } finally {
      this.#deps.observer?.onCall?.({
        task: call.task,
        choice,
        ...(answered === undefined ? {} : { model: answered }),
        outcome,
        attempts: asking.attempts,
        ...(call.prompt ? { prompt: call.prompt } : {}),
        sessionId: call.sessionId,
        runId: call.runId,
        durationMs: performance.now() - startedAt,
      });
    }
  }

  async *#fromFirstThatCan(asking: Asking, chosen: string) {
    const { call } = asking;
    const first = this.#settingsOf(chosen, call);
    const others = call.disableFallbacks || !first ? [] : first.fallbacks;
    const names = [chosen, ...others.filter((name) => call.mayAsk?.(name) ?? true)];
    let last: AttemptFailure | undefined;
    for (const name of new Set(names)) {
      const target = this.#targets.get(name);
      const settings = this.#settingsOf(name, call);
      if (!target || !settings) continue;
      try {
        return yield* this.#fromModel(asking, target, settings);
      } catch (error) {
        if (!(error instanceof AttemptFailure)) throw error;
        last = error;
        if (asking.emitted || !error.rule.fallback) throw error;
      }
    }
    // No model is available, or the last one failed.
    throw last ?? new ModelError("AGT_002", []);
  }

  #settingsOf(name: string, { task, maxTokens, temperature }: ModelCall): ModelSettings | undefined {
    const spec = this.#models.models.get(name);
    const settings = spec && { ...spec.settings, ...this.#models.settings.get(task) };
    if (settings && maxTokens !== undefined) settings.maxTokens = Math.min(settings.maxTokens, maxTokens);
    if (settings && temperature !== undefined) settings.temperature = temperature;
    return settings;
  }

  /** One model's answer, checked where the call has a schema, with one repair round. */
  async *#fromModel(asking: Asking, target: Target, settings: ModelSettings) {
    const { messages, tools, schema } = asking.call;
    const question: Question = { messages, tools, schema };
    const said = yield* this.#withRetries(asking, target, settings, question);
    const answer = (from: Said) => ({
      text: from.text,
      toolCalls: from.toolCalls,
      finish: from.finish ?? ("other" as const),
      model: target.spec.name,
    });
    if (!schema || said.toolCalls.length > 0) return answer(said);
    const validate = compileSchema(schema);
    const checked = checkedObject(said.text, validate);
    if (checked.ok) return { ...answer(said), object: checked.object };
    const again = repairQuestion(question, said, checked.problem, this.#deps.prompts.get("repair"));
    const repaired = yield* this.#withRetries(asking, target, settings, again);
    const recheck = checkedObject(repaired.text, validate);
    if (!recheck.ok) throw new AttemptFailure("invalid_output");
    return { ...answer(repaired), object: recheck.object };
  }

  async *#withRetries(
    asking: Asking,
    target: Target,
    settings: ModelSettings,
    question: Question,
  ): AsyncGenerator<Piece, Said> {
    for (let left = settings.retries; ; left--) {
      try {
        return yield* this.#attempts.make(asking, target, settings, question);
      } catch (error) {
        if (!(error instanceof AttemptFailure) || asking.emitted || !error.rule.retry || left <= 0)
          throw error;
        const wait = error.retryAfterMs ?? BACKOFF_MS * (0.5 + this.#random() / 2);
        if (wait > LONGEST_WAIT_MS) throw error;
        await sleep(wait, undefined, { signal: asking.call.signal }).catch(() => undefined);
      }
    }
  }
}

function sumOf(attempts: readonly Attempt[]): UsageAmounts {
  return attempts.reduce((sum, { used }) => addUsage(sum, used), NO_USAGE);
}

function toModelError(failure: AttemptFailure, { emitted, attempts }: Asking): ModelError {
  const options = { retryAfterMs: failure.retryAfterMs, cause: failure };
  if (failure.code === "cancelled") return new ModelError("cancelled", attempts, options);
  if (emitted) return new ModelError("model_interrupted", attempts, options);
  if (failure.code === "invalid_output") return new ModelError("model_output_invalid", attempts, options);
  if (failure.code === "refused" || failure.code === "unauthorized")
    return new ModelError("model_refused", attempts, options);
  return new ModelError("AGT_002", attempts, options);
}
