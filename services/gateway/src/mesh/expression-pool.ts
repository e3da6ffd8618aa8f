import { setImmediate } from "node:timers/promises";
import { GatewayError } from "../errors.ts";
import { JsonText } from "../json-text.ts";
import { EvaluationProcess, type ExpressionLimits, PARSED_SIZE, type TextOf } from "./evaluation-process.ts";
import type { ResultForm } from "./expression.ts";
import { ExpressionError } from "./expression-error.ts";
import type { Evaluated, Quote, ReadObject } from "./expression-messages.ts";
import { type Part, PartSource } from "./expression-parts.ts";

/** What a large JSON object came to. */
export type ReadLarge = { ok: true; object: Record<string, unknown> } | Extract<ReadObject, { ok: false }>;

const PROCESSES = 2;

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
    const { evaluated, textOf } = await this.#withProcess((process) => process.evaluate(task), signal);
    const result = resultOf(evaluated, parts, textOf);
    if (result instanceof JsonText && evaluated.state === "value" && evaluated.kept !== undefined)
      this.#source.remember(result, resultId);
    return result;
  }

  /**
   * Reads a large JSON object outside of the event loop.
   * @param names members that stay text where they are objects
   */
  async readObject(json: string, names: readonly string[], maxDepth: number): Promise<ReadLarge> {
    // The text has just been received.
    await setImmediate();
    const lazy = names.map((name) => ({ name, id: this.#source.newId() }));
    const read = await this.#withProcess((process) => process.read(json, lazy, maxDepth));
    if (!read.ok) return read;
    for (const { name, id, span } of read.spans) {
      const text = new JsonText(json.slice(...span));
      this.#source.remember(text, id);
      read.object[name] = text;
    }
    return { ok: true, object: read.object };
  }

  /**
   * Checks a large value outside of the event loop.
   * @returns the place of what does not have the form that the schema describes; undefined where all of it has
   * @throws GatewayError expression_timeout
   */
  async check(schema: object, value: object): Promise<string | undefined> {
    // The value has just been received.
    await setImmediate();
    const { rest, parts } = this.#source.takeApart(value);
    const { place } = await this.#withProcess((process) => process.check(schema, { context: rest, parts }));
    return place;
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
function resultOf(evaluated: Evaluated, parts: readonly Part[], textOf: TextOf): unknown {
  switch (evaluated.state) {
    case "nothing":
      return undefined;
    case "too_large":
      throw new GatewayError("expression_timeout");
    case "failed":
      throw ExpressionError.at(evaluated.code, evaluated.position);
    case "value": {
      const texts = new Map(parts.map(({ id, text }) => [id, text]));
      const text = evaluated.pieces
        .map((piece) => ("text" in piece ? textOf(piece.text) : quoted(piece, texts)))
        .reduce((whole, piece) => whole + piece);
      // A text costs the same either way.
      const isLarge = text.length > PARSED_SIZE && !text.startsWith('"');
      return isLarge ? new JsonText(text) : JSON.parse(text);
    }
  }
}

function quoted({ id, span }: Quote, texts: ReadonlyMap<number, string>): string {
  const text = texts.get(id) ?? "null";
  return span ? text.slice(...span) : text;
}
