import { setImmediate } from "node:timers/promises";
import { GatewayError } from "../errors.ts";
import { JsonText, textInPieces } from "../json-text.ts";
import { EvaluationProcess, type ExpressionLimits, PARSED_SIZE, type TextOf } from "./evaluation-process.ts";
import type { ResultForm } from "./expression.ts";
import { ExpressionError } from "./expression-error.ts";
import type { Evaluated, Quote, ReadObject } from "./expression-messages.ts";
import { type Part, PartSource } from "./expression-parts.ts";

/** What a large JSON object came to. */
export type ReadLarge = { ok: true; object: Record<string, unknown> } | Extract<ReadObject, { ok: false }>;

const PROCESSES = 2;

/** What it takes to write, send and read a character of a part (ms). */
const PART_MS = 1 / 30_000;
/** Nobody waits for less. */
const LEAST_PATIENCE_MS = 5;

/** An evaluation that waits for a process: for one alone, or for any. */
type Waiter = { only: EvaluationProcess | undefined; take: (process: EvaluationProcess) => void };

/**
 * Evaluates expressions and reads large JSON outside of the event loop, in processes that are started when they are first needed. What
 * takes too much time or memory fails, and its process is replaced.
 */
export class ExpressionPool {
  readonly #source = new PartSource();
  readonly #processes: readonly EvaluationProcess[];
  readonly #idle: EvaluationProcess[];
  readonly #waiting: Waiter[] = [];

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
    const { evaluated, textOf } = await this.#withProcess((process) => process.evaluate(task), parts, signal);
    const result = resultOf(evaluated, parts, textOf);
    if (result instanceof JsonText && evaluated.state === "value" && evaluated.kept !== undefined)
      this.#source.remember(result, resultId);
    return result;
  }

  /**
   * Reads a large JSON object outside of the event loop.
   * @param json its text, or its valid UTF-8
   * @param names members that stay text where they are objects
   */
  async readObject(json: string | Buffer, names: readonly string[], maxDepth: number): Promise<ReadLarge> {
    // The text has just been received.
    await setImmediate();
    const lazy = names.map((name) => ({ name, id: this.#source.newId() }));
    const reading = this.#withProcess((process) => process.read(json, lazy, maxDepth), []);
    const [read, whole] = await Promise.all([reading, typeof json === "string" ? json : textInPieces(json)]);
    if (!read.ok) return read;
    for (const { name, id, span } of read.spans) {
      const text = new JsonText(whole.slice(...span));
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
    const checking = { context: rest, parts };
    const { place } = await this.#withProcess((process) => process.check(schema, checking), parts);
    return place;
  }

  async #withProcess<T>(
    task: (process: EvaluationProcess) => Promise<T>,
    parts: readonly Part[],
    signal?: AbortSignal,
  ): Promise<T> {
    const process = this.#takeIdle(parts) ?? (await this.#wait(parts, signal));
    try {
      return await task(process);
    } finally {
      const next = this.#waiting.find(({ only }) => only === undefined || only === process);
      if (next) next.take(process);
      else this.#idle.push(process);
    }
  }

  /** Ends the processes. Evaluations that are under way fail. */
  async close(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.close()));
  }

  /** The idle process that has the most of these parts, the last used of several; none where it is worth waiting for a busy one. */
  #takeIdle(parts: readonly Part[]): EvaluationProcess | undefined {
    const best = leastLacking(this.#idle, parts);
    if (!best || this.#patience(parts, best).ms >= LEAST_PATIENCE_MS) return undefined;
    this.#idle.splice(this.#idle.indexOf(best), 1);
    return best;
  }

  /** The busy process that has the most of these parts, and how long sending them to an idle one would take beyond that. */
  #patience(
    parts: readonly Part[],
    idle: EvaluationProcess,
  ): { for: EvaluationProcess | undefined; ms: number } {
    const busy = leastLacking(
      this.#processes.filter((process) => !this.#idle.includes(process)),
      parts,
    );
    return { for: busy, ms: busy ? (idle.lacks(parts) - busy.lacks(parts)) * PART_MS : 0 };
  }

  /** Waits for the process that has these parts, for as long as sending them to another one would take; then for any. */
  async #wait(parts: readonly Part[], signal: AbortSignal | undefined): Promise<EvaluationProcess> {
    const idle = leastLacking(this.#idle, parts);
    const patience = idle && this.#patience(parts, idle);
    const { promise, resolve, reject } = Promise.withResolvers<EvaluationProcess>();
    const leave = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abandon);
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
    };
    const take = (process: EvaluationProcess) => {
      leave();
      resolve(process);
    };
    const abandon = () => {
      leave();
      reject(signal?.reason);
    };
    const waiter: Waiter = { only: patience?.for, take };
    const settle = () => {
      waiter.only = undefined;
      const free = this.#idle.pop();
      if (free) take(free);
    };
    const timer = patience && setTimeout(settle, patience.ms);
    this.#waiting.push(waiter);
    signal?.addEventListener("abort", abandon);
    return await promise;
  }
}

/** The last of those that would have to be sent the least. */
function leastLacking(
  processes: readonly EvaluationProcess[],
  parts: readonly Part[],
): EvaluationProcess | undefined {
  return processes.reduce<EvaluationProcess | undefined>(
    (best, process) => (best && best.lacks(parts) < process.lacks(parts) ? best : process),
    undefined,
  );
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
