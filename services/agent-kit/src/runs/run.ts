import { setImmediate as nextTurn } from "node:timers/promises";
import { type TraceContext, traceIdOf } from "@interlock/contracts";
import { TaskError } from "../errors.ts";
import type { VerifiedCaller } from "../identity/caller.ts";
import type { Log } from "../log.ts";
import type { Progress, Token } from "../types.ts";
import { type Frame, failure, isLongerThan, type Outcome, plainError, success } from "./answer.ts";
import { createContext, emptyNotes } from "./context.ts";
import { startTaskSpan, type TaskSpan } from "./task-span.ts";
import type { Prepared } from "./tasks.ts";
import { type AbortCode, createWatchers, type Watchable } from "./watchable.ts";

/** Sends one event. The run waits for a returned promise, which is back-pressure. */
export type Emit = (name: "progress" | "token", json: string) => Promise<void> | undefined;

export type RunParts = {
  readonly prepared: Prepared;
  readonly maxEventBytes: number;
  readonly provenance: object;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly deadline?: number;
  readonly trace: TraceContext;
  readonly idempotencyKey?: string;
  readonly caller?: VerifiedCaller;
};

/** A task that computes for longer yields to the event loop, so that timers and other requests get their turn. */
const MAX_TURN_MS = 10;

/**
 * One execution of a task. Whichever comes first determines the outcome: the generator returns, throws, or the run is
 * aborted. Anything that the generator does afterwards is ignored.
 */
export class Run implements Watchable {
  readonly outcome: Promise<Outcome>;
  readonly #parts: RunParts;
  readonly #frame: Frame;
  readonly #notes: ReturnType<typeof emptyNotes>;
  readonly #abort = new AbortController();
  readonly #resolve: (outcome: Outcome) => void;
  readonly watch = createWatchers((code) => this.abort(code));
  readonly #span: TaskSpan | undefined;
  #settled = false;

  constructor(parts: RunParts) {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#parts = parts;
    this.outcome = promise;
    this.#resolve = resolve;
    this.#span = startTaskSpan(parts);
    this.#frame = { taskType: parts.prepared.task.type, maxBytes: parts.maxEventBytes };
    this.#notes = emptyNotes(parts.prepared.warnings, parts.provenance);
  }

  /** Ends the run at once, even if the task ignores its signal. */
  abort(code: AbortCode): void {
    if (this.#settled) return;
    const error = plainError(code);
    this.#settle(failure(this.#frame, error, this.#notes));
    this.#abort.abort(error);
  }

  /** Starts the task and passes its events to `emit`. */
  drive(emit: Emit = () => undefined): Promise<Outcome> {
    void this.#drain(emit);
    return this.outcome;
  }

  #settle(outcome: Outcome): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#span?.end(outcome.ok ? undefined : outcome.code);
    this.#resolve(outcome);
  }

  async #drain(emit: Emit): Promise<void> {
    let generator: AsyncGenerator<Progress | Token, object, void> | undefined;
    try {
      generator = this.#start();
      let turnStarted = performance.now();
      while (!this.#settled) {
        const next = await generator.next();
        if (this.#settled) break;
        if (next.done) {
          this.#settle(this.#outcomeOfOutputs(next.value));
          return;
        }
        await this.#send(next.value, emit);
        if (performance.now() - turnStarted > MAX_TURN_MS) {
          await nextTurn();
          turnStarted = performance.now();
        }
      }
    } catch (error) {
      if (!this.#settled) this.#settle(this.#outcomeOfError(error));
    }
    // Runs the task's `finally` blocks. The result is ignored.
    generator?.return({}).catch(() => {});
    this.#abort.abort(plainError("CANCELLED"));
  }

  #start(): AsyncGenerator<Progress | Token, object, void> {
    const { prepared, log, deadline, idempotencyKey, caller } = this.#parts;
    const trace = this.#span?.trace ?? this.#parts.trace;
    const { traceparent } = trace;
    const traceId = traceIdOf(trace);
    const { request, task } = prepared;
    const context = createContext(
      {
        signal: this.#abort.signal,
        log: log.forTask({
          request_id: request.request_id,
          task_type: task.type,
          ...(traceId === undefined ? {} : { trace_id: traceId }),
        }),
        requestId: request.request_id,
        ...(deadline === undefined ? {} : { deadline }),
        trace,
        ...(traceparent === undefined ? {} : { traceparent }),
        ...(request.language === undefined ? {} : { language: request.language }),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        ...(caller === undefined ? {} : { caller }),
      },
      this.#notes,
    );
    return task.definition.run(request, context);
  }

  #send(event: Progress | Token, emit: Emit): Promise<void> | undefined {
    const { type, ...fields } = event;
    const known = type === "progress" || (type === "token" && typeof fields.text === "string");
    if (!known) throw new TypeError("a task yields progress or token events");
    const json = JSON.stringify(fields);
    if (isLongerThan(json, this.#parts.maxEventBytes)) throw plainError("OUTPUT_TOO_LARGE");
    return emit(type, json);
  }

  #outcomeOfOutputs(outputs: unknown): Outcome {
    const checked = this.#parts.prepared.task.outputs(outputs);
    if (checked.ok) return success(this.#frame, checked.value, this.#notes);
    const { path, rule, message } = checked.problem;
    const text = `The task made outputs that break its schema: ${message}.`;
    const error = new TaskError("INVALID_OUTPUTS", text, { path: `/outputs${path}`, rule });
    return failure(this.#frame, error, this.#notes);
  }

  #outcomeOfError(error: unknown): Outcome {
    if (error instanceof TaskError) return failure(this.#frame, error, this.#notes);
    const { request, task } = this.#parts.prepared;
    this.#parts.log.defect(error, { request_id: request.request_id, task_type: task.type, code: "INTERNAL" });
    return failure(this.#frame, plainError("INTERNAL"), this.#notes);
  }
}
