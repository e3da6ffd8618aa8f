import { setTimeout as sleep } from "node:timers/promises";
import { compileSchema, type ListedModel } from "@interlock/contracts";
import type { Caller } from "../caller.ts";
import type { MeshModels, ModelSettings } from "../mesh/index.ts";
import { addUsage, type ModelBudgets, NO_USAGE, type UsageAmounts } from "../store/index.ts";
import { type AttemptKind, askStreamed, askWhole, type Piece, type Said } from "./attempt.ts";
import { Budgets, type Reserved } from "./budgets.ts";
import { chooseModel } from "./choose.ts";
import { AttemptFailure, type FailureCode } from "./failure.ts";
import { ModelError } from "./model-error.ts";
import { costOf } from "./pricing.ts";
import type { Prompts } from "./prompts/index.ts";
import { type Question, textsOf } from "./sdk-prompt.ts";
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
import { type CountTokens, estimatedTokens, reportedTokens } from "./usage.ts";

export type ModelGatewayDeps = Omit<TargetDeps, "breaker"> & {
  models: MeshModels;
  budgets: ModelBudgets;
  prompts: Prompts;
  countTokens: CountTokens;
  observer?: ModelObserver;
  onTrouble: (where: string, error: unknown) => void;
  breaker?: { failures: number; restMs: number };
  random?: () => number;
};

/** The first pause before a retry; it is drawn between half of it and all of it. */
const BACKOFF_MS = 300;
/** Whoever is told to wait for longer asks another model instead. */
const LONGEST_WAIT_MS = 2_000;

/** A call under way. */
type Asking = { call: GenerateCall; kind: AttemptKind; attempts: Attempt[]; emitted: boolean };

/**
 * Asks the models of the mesh: the one that the policy chooses, and where that cannot answer its fallbacks, as long as nothing of an
 * answer was passed on.
 */
export class ModelGateway {
  readonly #models: MeshModels;
  readonly #targets: ReadonlyMap<string, Target>;
  readonly #budgets: Budgets;
  readonly #deps: ModelGatewayDeps;
  readonly #random: () => number;

  constructor(deps: ModelGatewayDeps) {
    const {
      models,
      budgets,
      observer,
      breaker = { failures: 5, restMs: 30_000 },
      random = Math.random,
    } = deps;
    this.#deps = deps;
    this.#models = models;
    this.#budgets = new Budgets(budgets);
    this.#random = random;
    this.#targets = new Map(
      Array.from(models.models, ([name, spec]) => {
        const onState = (state: "closed" | "open" | "half_open") => observer?.onBreaker?.(name, state);
        return [name, new Target(spec, { ...deps, breaker: { ...breaker, onState } })];
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
    const pieces = this.#answer(call, askWhole);
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
    const answer = yield* this.#answer(call, askStreamed);
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
    if (target.breaker.isOpen) return "breaker_open";
    try {
      return (await this.#budgets.isSpent(target.spec, tenant)) ? "budget_spent" : undefined;
    } catch {
      return "unknown";
    }
  }

  #choose({ hint, task, sessionId }: Pick<ModelCall, "task" | "hint" | "sessionId">) {
    return chooseModel(this.#models, { hint, task, session: sessionId });
  }

  async *#answer(call: GenerateCall, kind: AttemptKind): AsyncGenerator<Piece, ModelAnswer> {
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
    const first = this.#settingsOf(chosen, call.task);
    const names = [chosen, ...(call.disableFallbacks || !first ? [] : first.fallbacks)];
    let last = new AttemptFailure("refused");
    for (const name of new Set(names)) {
      const target = this.#targets.get(name);
      const settings = this.#settingsOf(name, call.task);
      if (!target || !settings) continue;
      try {
        return yield* this.#fromModel(asking, target, settings);
      } catch (error) {
        if (!(error instanceof AttemptFailure)) throw error;
        last = error;
        if (asking.emitted || !error.rule.fallback) throw error;
      }
    }
    // Nobody to ask, or the last of them could not.
    throw asking.attempts.length === 0 ? new ModelError("AGT_002", []) : last;
  }

  #settingsOf(name: string, task: string): ModelSettings | undefined {
    const spec = this.#models.models.get(name);
    return spec && { ...spec.settings, ...this.#models.settings.get(task) };
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
        return yield* this.#attempt(asking, target, settings, question);
      } catch (error) {
        if (!(error instanceof AttemptFailure) || asking.emitted || !error.rule.retry || left <= 0)
          throw error;
        const wait = error.retryAfterMs ?? BACKOFF_MS * (0.5 + this.#random() / 2);
        if (wait > LONGEST_WAIT_MS) throw error;
        await sleep(wait, undefined, { signal: asking.call.signal }).catch(() => undefined);
      }
    }
  }

  /** One request. However it ends, its permit, its reservation and its usage are accounted for. */
  async *#attempt(
    asking: Asking,
    target: Target,
    settings: ModelSettings,
    question: Question,
  ): AsyncGenerator<Piece, Said> {
    const { call, kind } = asking;
    const texts = textsOf(question);
    const refuse = (code: FailureCode): AttemptFailure => {
      this.#note(asking, { model: target.spec.name, outcome: code, durationMs: 0, used: NO_USAGE });
      return new AttemptFailure(code);
    };
    if (call.signal?.aborted) throw refuse("cancelled");
    if (!target.hasKey) throw refuse("no_key");
    const reserved = await this.#budgets.reserve(target.spec, call.caller.tenant, texts, settings.maxTokens);
    if (reserved === false) throw refuse("budget_spent");
    const permit = target.breaker.enter();
    if (!permit) {
      await this.#settle(reserved, NO_USAGE);
      throw refuse("breaker_open");
    }
    const startedAt = performance.now();
    const said: Said = { text: "", thought: "", toolCalls: [] };
    let failure: AttemptFailure | undefined = new AttemptFailure("cancelled");
    let requestBytes = 0;
    try {
      const { model, wire } = await target.attempt();
      try {
        for await (const piece of kind({ model, wire, question, settings, signal: call.signal, said })) {
          asking.emitted = true;
          yield piece;
        }
      } finally {
        requestBytes = wire.requestBytes;
      }
      failure = undefined;
      return said;
    } catch (error) {
      failure = error instanceof AttemptFailure ? error : new AttemptFailure("server_error");
      throw failure;
    } finally {
      const isUnhealthy = failure?.rule.unhealthy ?? false;
      permit.end(failure ? (isUnhealthy ? "failed" : "unknown") : "ok");
      const exchange = {
        read: texts,
        wrote: said.text + said.thought + said.toolCalls.map(({ input }) => JSON.stringify(input)).join(""),
        requestBytes,
        maxTokens: settings.maxTokens,
      };
      const used = await this.#usedBy(target, said, failure, exchange);
      await this.#settle(reserved, used);
      this.#note(asking, {
        model: target.spec.name,
        outcome: failure?.code ?? "ok",
        durationMs: performance.now() - startedAt,
        ...(said.firstTokenMs === undefined ? {} : { firstTokenMs: said.firstTokenMs }),
        used,
      });
    }
  }

  async #usedBy(
    { spec }: Target,
    { usage }: Said,
    failure: AttemptFailure | undefined,
    exchange: Parameters<typeof estimatedTokens>[0],
  ): Promise<UsageAmounts> {
    const counted = { ...NO_USAGE, calls: 1, failed: failure ? 1 : 0 };
    const reported = reportedTokens(usage, exchange);
    if (!reported && failure && !failure.rule.worked) return counted;
    const tokens = reported ?? (await estimatedTokens(exchange, this.#deps.countTokens));
    return {
      ...counted,
      estimated: reported ? 0 : 1,
      inputTokens: tokens.input,
      cachedInputTokens: tokens.cachedInput,
      outputTokens: tokens.output,
      reasoningTokens: tokens.reasoning,
      nanoUsd: costOf(tokens, spec.prices),
    };
  }

  /** What cannot be settled stays used: a budget errs on the side of less. */
  async #settle(reserved: Reserved, { nanoUsd, inputTokens, outputTokens }: UsageAmounts): Promise<void> {
    try {
      await this.#budgets.settle(reserved, { nanoUsd, tokens: inputTokens + outputTokens });
    } catch (error) {
      this.#deps.onTrouble("model budget", error);
    }
  }

  #note({ call, attempts }: Asking, attempt: Attempt): void {
    attempts.push(attempt);
    this.#deps.observer?.onAttempt?.(call, attempt);
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
