import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { GatewayError } from "../errors.ts";
import { JsonText } from "../json-text.ts";
import type { ResultForm } from "./expression.ts";
import { ExpressionError } from "./expression-error.ts";
import type { Evaluated, Evaluation, Reading, ReadObject, ResultPiece } from "./expression-messages.ts";
import { KEPT_SIZE, type Part, PartMemory, PartSource } from "./expression-parts.ts";
import { sizeOf } from "./json-members.ts";

export type ExpressionLimits = {
  /** Milliseconds that one evaluation may take. */
  expressionTimeoutMs: number;
  /** Megabytes of memory that one evaluation may take. */
  expressionMemoryMb: number;
};

/** What a large JSON object came to. */
export type ReadLarge = { ok: true; object: Record<string, unknown> } | Extract<ReadObject, { ok: false }>;

const PROCESSES = 2;
/** Characters of a result as JSON: to receive more would hold the event loop. */
const MAX_RESULT_SIZE = 32 * 1024 * 1024;
/** A longer result stays text. */
const PARSED_SIZE = 64 * 1024;

/**
 * Evaluates expressions and reads large JSON outside of the event loop, in processes that are started when they are first needed. What
 * takes too much time or memory fails, and its process is replaced.
 */
export class ExpressionPool {
  readonly #source = new PartSource();
  readonly #processes: readonly EvaluationProcess[];
  readonly #idle: EvaluationProcess[];
  readonly #waiting: ((process: EvaluationProcess) => void)[] = [];

  constructor(limits: ExpressionLimits) {
    this.#processes = Array.from({ length: PROCESSES }, () => new EvaluationProcess(limits));
    this.#idle = this.#processes.toReversed();
  }

  /**
   * @returns JsonText, in this form, where the result is large
   * @throws ExpressionError; GatewayError expression_timeout; the reason of the signal
   */
  async evaluate(
    source: string,
    context: unknown,
    signal?: AbortSignal,
    form: ResultForm = "json",
  ): Promise<unknown> {
    // The caller has often just written something large: write the context in another turn of the event loop.
    await setImmediate();
    signal?.throwIfAborted();
    // Taken apart now: the context may change while the expression waits for a process.
    const { rest, parts } = this.#source.takeApart(context);
    const resultId = this.#source.newId();
    const task = { source, context: rest, parts, canonical: form === "canonical", resultId, signal };
    const evaluated = await this.#withProcess((process) => process.evaluate(task), signal);
    const result = resultOf(evaluated, parts);
    if (result instanceof JsonText && evaluated.state === "value" && evaluated.kept !== undefined)
      this.#source.remember(result, resultId);
    return result;
  }

  /**
   * Reads a large JSON object outside of the event loop.
   * @param names members that stay text where they are objects
   */
  async readObject(json: string, names: readonly string[], maxDepth: number): Promise<ReadLarge> {
    const lazy = names.map((name) => ({ name, id: this.#source.newId() }));
    const reading: Reading = { kind: "read", json, lazy, maxDepth };
    const read = await this.#withProcess((process) => process.read(reading));
    if (!read.ok) return read;
    for (const { name, id, span } of read.spans) {
      const text = new JsonText(json.slice(...span));
      this.#source.remember(text, id);
      read.object[name] = text;
    }
    return { ok: true, object: read.object };
  }

  async #withProcess<T>(task: (process: EvaluationProcess) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const process = await this.#take(signal);
    try {
      return await task(process);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(process);
      else this.#idle.push(process);
    }
  }

  /** Ends the processes. Evaluations that are under way fail. */
  async close(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.close()));
  }

  async #take(signal?: AbortSignal): Promise<EvaluationProcess> {
    const idle = this.#idle.pop();
    if (idle) return idle;
    const { promise, resolve, reject } = Promise.withResolvers<EvaluationProcess>();
    const leave = () => {
      this.#waiting.splice(this.#waiting.indexOf(resolve), 1);
      reject(signal?.reason);
    };
    this.#waiting.push(resolve);
    signal?.addEventListener("abort", leave);
    void promise.finally(() => signal?.removeEventListener("abort", leave)).catch(() => undefined);
    return await promise;
  }
}

/** @param parts what the result may quote */
function resultOf(evaluated: Evaluated, parts: readonly Part[]): unknown {
  switch (evaluated.state) {
    case "nothing":
      return undefined;
    case "too_large":
      throw new GatewayError("expression_timeout");
    case "failed":
      throw ExpressionError.at(evaluated.code, evaluated.position);
    case "value": {
      const texts = new Map(parts.map(({ id, text }) => [id, text]));
      const text = evaluated.pieces.map((piece) => quoted(piece, texts)).join("");
      // A text costs the same either way.
      const isLarge = text.length > PARSED_SIZE && !text.startsWith('"');
      return isLarge ? new JsonText(text) : JSON.parse(text);
    }
  }
}

function quoted(piece: ResultPiece, texts: ReadonlyMap<number, string>): string {
  if (typeof piece === "string") return piece;
  const text = texts.get(piece.id) ?? "null";
  return piece.span ? text.slice(...piece.span) : text;
}

const MAIN = fileURLToPath(new URL("./expression-process.ts", import.meta.url));

type Task = {
  source: string;
  context: unknown;
  parts: readonly Part[];
  canonical: boolean;
  resultId: number;
  signal: AbortSignal | undefined;
};

/** One evaluation at a time, in a process of its own. */
class EvaluationProcess {
  readonly #limits: ExpressionLimits;
  #process: { child: ChildProcess; ready: Promise<unknown>; has: PartMemory<true> } | undefined;
  #closed = false;

  constructor(limits: ExpressionLimits) {
    this.#limits = limits;
  }

  async evaluate({ source, context, parts, canonical, resultId, signal }: Task): Promise<Evaluated> {
    const { child, has } = await this.#running();
    // A value may have several places.
    const unique = [...new Map(parts.map((part) => [part.id, part])).values()];
    const sent = unique.map(({ id, text }) => {
      const part = { id, size: text.length };
      return has.get(id) ? part : { ...part, text };
    });
    has.keep(sent.map(({ id, size }) => ({ id, size, value: true })));
    const evaluation: Evaluation = {
      kind: "evaluate",
      source,
      context,
      places: parts.map(({ path, id }) => ({ path, id })),
      parts: sent,
      canonical,
      resultId,
      keptFrom: PARSED_SIZE,
      maxResultSize: MAX_RESULT_SIZE,
    };
    const evaluated = await this.#answer<Evaluated>(child, evaluation, signal);
    if (evaluated.state === "value" && evaluated.kept !== undefined)
      has.keep([{ id: resultId, size: evaluated.kept, value: true }]);
    return evaluated;
  }

  async read(reading: Reading): Promise<ReadObject> {
    const { child, has } = await this.#running();
    const read = await this.#answer<ReadObject>(child, reading);
    if (read.ok) for (const { id, span } of read.spans) has.keep([{ id, size: sizeOf(span), value: true }]);
    return read;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const child = this.#process?.child;
    this.#process = undefined;
    if (child) await end(child);
  }

  async #running() {
    if (this.#closed) throw new GatewayError("draining");
    this.#process ??= this.#start();
    const started = this.#process;
    try {
      await started.ready;
    } catch (cause) {
      this.#process = undefined;
      throw new GatewayError("internal", undefined, { cause });
    }
    return started;
  }

  #start() {
    const child = fork(MAIN, {
      // The expressions' memory, and nothing of the gateway's environment.
      execArgv: [`--max-old-space-size=${this.#limits.expressionMemoryMb}`],
      env: {},
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    // Errors are seen by whoever waits for the process.
    child.on("error", () => undefined);
    child.once("exit", () => {
      if (this.#process?.child === child) this.#process = undefined;
    });
    const ended = once(child, "exit").then(() => Promise.reject(new Error("the process did not start")));
    return {
      child,
      ready: Promise.race([once(child, "message"), ended]),
      has: new PartMemory<true>(KEPT_SIZE),
    };
  }

  async #answer<T>(child: ChildProcess, message: Evaluation | Reading, signal?: AbortSignal): Promise<T> {
    const answered = Promise.withResolvers<T>();
    const over = () => answered.reject(new GatewayError(this.#closed ? "draining" : "expression_timeout"));
    const stop = () => answered.reject(signal?.reason);
    const timer = setTimeout(over, this.#limits.expressionTimeoutMs);
    child.once("message", answered.resolve);
    // V8 has ended the process for want of memory.
    child.once("exit", over);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop);
    child.send(message, (error) => error && over());
    try {
      return await answered.promise;
    } catch (error) {
      this.#process = undefined;
      await end(child);
      throw error;
    } finally {
      clearTimeout(timer);
      child.off("message", answered.resolve);
      child.off("exit", over);
      signal?.removeEventListener("abort", stop);
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
