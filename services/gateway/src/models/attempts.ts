import type { TraceContext } from "@interlock/contracts";
import type { ModelSettings } from "../mesh/index.ts";
import { NO_USAGE } from "../store/index.ts";
import { tracing } from "../telemetry/index.ts";
import type { Piece, Said } from "./attempt.ts";
import { AttemptFailure, type FailureCode } from "./failure.ts";
import { ModelSpans } from "./model-span.ts";
import { type Question, textsOf } from "./sdk-prompt.ts";
import type { Target } from "./target.ts";
import type { Attempt, GenerateCall, ModelObserver } from "./types.ts";
import { type CountTokens, usedBy } from "./usage.ts";
import type { Reserved, UsageLedger } from "./usage-ledger.ts";

/** A call under way. */
export type Asking = {
  call: GenerateCall;
  kind: "whole" | "streamed";
  attempts: Attempt[];
  /** Whether a part of an answer was passed on: then no other model may answer. */
  emitted: boolean;
};

export type AttemptsDeps = {
  ledger: Pick<UsageLedger, "reserve" | "recordAttempt">;
  countTokens: CountTokens;
  observer?: ModelObserver;
  /** Whether traces have what is said to models and by them; absent: no. */
  capturesMessages?: boolean;
};

const NO_TRACE: TraceContext = {};

/** Makes attempts and accounts for them. */
export class Attempts {
  readonly #deps: AttemptsDeps;
  readonly #spans: ModelSpans | undefined;

  constructor(deps: AttemptsDeps) {
    this.#deps = deps;
    this.#spans = tracing && new ModelSpans(deps.capturesMessages ?? false);
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
    const refuse = async (code: FailureCode, reserved?: Reserved): Promise<AttemptFailure> => {
      const attempt = { model: target.spec.name, outcome: code, durationMs: 0, used: NO_USAGE };
      await this.#record(asking, reserved, attempt);
      return new AttemptFailure(code);
    };
    if (call.signal?.aborted) throw await refuse("cancelled");
    if (!target.hasKey) throw await refuse("no_key");
    const reserved = await this.#deps.ledger.reserve(
      target.spec,
      call.caller.tenant,
      texts,
      settings.maxTokens,
    );
    if (reserved === false) throw await refuse("budget_spent");
    const permit = target.breaker.enter();
    if (!permit) throw await refuse("breaker_open", reserved);
    const startedAt = performance.now();
    const { trace = NO_TRACE } = call;
    const span = this.#spans?.start(trace, { call, target, settings, question });
    const said: Said = { text: "", thought: "", toolCalls: [] };
    let failure: AttemptFailure | undefined;
    let isOver = false;
    let requestBytes = 0;
    try {
      const exchange = await target.exchange();
      try {
        for await (const piece of exchange[kind]({
          ...{ question, settings, signal: call.signal, said },
          trace: span ?? trace,
        })) {
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
      const attempt = {
        usage: said.usage,
        failure,
        read: texts,
        wrote: said.text + said.thought + said.toolCalls.map(({ input }) => JSON.stringify(input)).join(""),
        requestBytes,
        maxTokens: settings.maxTokens,
      };
      const used = await usedBy(attempt, target.spec.prices, this.#deps.countTokens);
      if (span) this.#spans?.end(span, target, { said, used, failure });
      await this.#record(asking, reserved, {
        model: target.spec.name,
        outcome: failure?.code ?? "ok",
        durationMs: performance.now() - startedAt,
        ...(said.firstTokenMs === undefined ? {} : { firstTokenMs: said.firstTokenMs }),
        used,
      });
    }
  }

  async #record({ call, attempts }: Asking, reserved: Reserved, attempt: Attempt): Promise<void> {
    await this.#deps.ledger.recordAttempt(call, attempt, reserved);
    attempts.push(attempt);
    this.#deps.observer?.onAttempt?.(call, attempt);
  }
}
