import { setImmediate } from "node:timers/promises";
import { GatewayError } from "../../errors.ts";
import { JsonText, jsonOf, textInPieces } from "../../json-text.ts";
import { ConditionError, type Context, type LargeReader, type PatchRule } from "../data/index.ts";
import type { ReadAnswer, Task } from "./messages.ts";
import { type Answered, type AskedTask, type LargeLimits, LargeProcess } from "./process-handle.ts";
import { surelyFits } from "./surely-fits.ts";

/** A large JSON object as it was read. */
export type ReadLarge = { ok: true; object: Record<string, unknown> } | Extract<ReadAnswer, { ok: false }>;

const PROCESSES = 2;

/**
 * Looks into large values outside of the event loop, in processes that are started when they are first needed. What takes too much time or
 * memory fails, and its process is replaced.
 */
export class LargeValues implements LargeReader {
  readonly #processes: readonly LargeProcess[];
  readonly #idle: LargeProcess[];
  readonly #waiting: ((process: LargeProcess) => void)[] = [];

  constructor(limits: LargeLimits) {
    this.#processes = Array.from({ length: PROCESSES }, () => new LargeProcess(limits));
    this.#idle = this.#processes.toReversed();
  }

  /**
   * Reads an object.
   * @param json its text, or its valid UTF-8
   * @param lazy members that stay text where they are objects
   */
  async readObject(json: string | Buffer, lazy: readonly string[], maxDepth: number): Promise<ReadLarge> {
    const reading = this.#ask<"read">({ kind: "read", json, lazy, maxDepth });
    const [{ answer }, whole] = await Promise.all([
      reading,
      typeof json === "string" ? json : textInPieces(json),
    ]);
    if (!answer.ok) return answer;
    const { object, spans } = answer;
    for (const { name, span } of spans) object[name] = new JsonText(whole.slice(...span));
    return { ok: true, object };
  }

  /** @returns the place of the first violation of the schema; undefined where there is none */
  async check(schema: object, value: object, signal?: AbortSignal): Promise<string | undefined> {
    const task = { kind: "check", schema, json: jsonOf(value) } as const;
    const { answer } = await this.#ask<"check">(task, signal);
    return answer.place;
  }

  /**
   * Judges a value by a schema that nobody here has looked at.
   * @returns what is wrong, in words of the schema; undefined where nothing is
   */
  async judge(schema: object, value: unknown, signal?: AbortSignal): Promise<string | undefined> {
    // Most schemas are plain and most values fit, which is told here for a hundredth of what asking a process costs.
    if (surelyFits(schema, value)) return undefined;
    try {
      const task = { kind: "judge", schema, json: JSON.stringify(value) } as const;
      return (await this.#ask<"judge">(task, signal)).answer.problem;
    } catch (error) {
      if (error instanceof GatewayError && error.code === "value_timeout")
        return "checking it takes too much";
      throw error;
    }
  }

  /** Writes a value so that equal values have equal texts. */
  async canonical(value: JsonText, signal?: AbortSignal): Promise<JsonText> {
    const { answer, textOf } = await this.#ask<"canonical">({ kind: "canonical", json: value.text }, signal);
    return new JsonText(textOf(answer.text));
  }

  /** A bounded text of a value, for people. */
  async readable(value: object, signal?: AbortSignal): Promise<string> {
    const { answer, textOf } = await this.#ask<"readable">({ kind: "readable", json: jsonOf(value) }, signal);
    return textOf(answer.text);
  }

  async holds(
    source: string,
    roots: readonly string[],
    data: Context,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const { answer } = await this.#ask<"holds">({ kind: "holds", source, roots, json: jsonOf(data) }, signal);
    if ("why" in answer) throw new ConditionError(source, answer.why);
    return answer.holds;
  }

  /** @returns the proposal with the edits, in canonical form; undefined where they cannot be made */
  async patch(proposal: JsonText, edits: string, rule: PatchRule): Promise<JsonText | undefined> {
    const task = { kind: "patch", json: proposal.text, edits, rule } as const;
    const { answer, textOf } = await this.#ask<"patch">(task);
    return answer.text === undefined ? undefined : new JsonText(textOf(answer.text));
  }

  /** Ends the processes. What is under way fails. */
  async close(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.close()));
  }

  async #ask<Kind extends Task["kind"]>(
    task: AskedTask<Kind>,
    signal?: AbortSignal,
  ): Promise<Answered<Kind>> {
    // The value has often just been received or written.
    await setImmediate();
    signal?.throwIfAborted();
    const process = this.#idle.pop() ?? (await this.#free(signal));
    try {
      return await process.ask(task, signal);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(process);
      else this.#idle.push(process);
    }
  }

  async #free(signal: AbortSignal | undefined): Promise<LargeProcess> {
    const { promise, resolve, reject } = Promise.withResolvers<LargeProcess>();
    const leave = () => {
      this.#waiting.splice(this.#waiting.indexOf(resolve), 1);
      reject(signal?.reason);
    };
    this.#waiting.push(resolve);
    signal?.addEventListener("abort", leave);
    try {
      return await promise;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }
}
