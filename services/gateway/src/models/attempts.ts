import type { ModelSettings } from "../mesh/index.ts";
import { NO_USAGE, type UsageAmounts } from "../store/index.ts";
import type { Piece, Said } from "./attempt.ts";
import type { Budgets, Reserved } from "./budgets.ts";
import { AttemptFailure, type FailureCode } from "./failure.ts";
import { costOf } from "./pricing.ts";
import { type Question, textsOf } from "./sdk-prompt.ts";
import type { Target } from "./target.ts";
import type { Attempt, GenerateCall, ModelObserver } from "./types.ts";
import { type CountTokens, type Exchange, estimatedTokens, reportedTokens } from "./usage.ts";

/** A call under way. */
export type Asking = {
  call: GenerateCall;
  kind: "whole" | "streamed";
  attempts: Attempt[];
  /** Whether something of an answer was passed on: then nobody else may answer. */
  emitted: boolean;
};

export type AttemptsDeps = {
  budgets: Budgets;
  countTokens: CountTokens;
  observer?: ModelObserver;
  onTrouble: (where: string, error: unknown) => void;
};

/** Makes attempts and accounts for them. */
export class Attempts {
  readonly #deps: AttemptsDeps;

  constructor(deps: AttemptsDeps) {
    this.#deps = deps;
  }

  /** One request. However it ends, its permit, its reservation and its usage are accounted for. */
  async *make(
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
    const reserved = await this.#deps.budgets.reserve(
      target.spec,
      call.caller.tenant,
      texts,
      settings.maxTokens,
    );
    if (reserved === false) throw refuse("budget_spent");
    const permit = target.breaker.enter();
    if (!permit) {
      await this.#settle(reserved, NO_USAGE);
      throw refuse("breaker_open");
    }
    const startedAt = performance.now();
    const said: Said = { text: "", thought: "", toolCalls: [] };
    let failure: AttemptFailure | undefined;
    let isOver = false;
    let requestBytes = 0;
    try {
      const exchange = await target.exchange();
      try {
        for await (const piece of exchange[kind]({ question, settings, signal: call.signal, said })) {
          if (!asking.emitted) call.onModel?.(target.spec.name);
          asking.emitted = true;
          yield piece;
        }
      } finally {
        requestBytes = exchange.requestBytes;
      }
      isOver = true;
      return said;
    } catch (error) {
      failure = error instanceof AttemptFailure ? error : new AttemptFailure("server_error");
      throw failure;
    } finally {
      // The reader went away.
      if (!isOver) failure ??= new AttemptFailure("cancelled");
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
    exchange: Exchange,
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
      await this.#deps.budgets.settle(reserved, { nanoUsd, tokens: inputTokens + outputTokens });
    } catch (error) {
      this.#deps.onTrouble("model budget", error);
    }
  }

  #note({ call, attempts }: Asking, attempt: Attempt): void {
    attempts.push(attempt);
    this.#deps.observer?.onAttempt?.(call, attempt);
  }
}
