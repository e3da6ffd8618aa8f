import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { GatewayError } from "../errors.ts";
import type { Checked, Checking, Evaluated, Evaluation, Reading, ReadObject } from "./expression-messages.ts";
import { KEPT_SIZE, type Part, PartMemory } from "./expression-parts.ts";
import { type SentText, TextReceiver, TextSender } from "./expression-texts.ts";
import { sizeOf } from "./json-members.ts";

export type ExpressionLimits = {
  /** Milliseconds that one evaluation may take. */
  expressionTimeoutMs: number;
  /** Megabytes of memory that one evaluation may take. */
  expressionMemoryMb: number;
};

/** Reads a text of an answer. */
export type TextOf = (text: SentText) => string;

/** Characters of a result as JSON. */
const MAX_RESULT_SIZE = 32 * 1024 * 1024;
/** A longer result stays text. */
export const PARSED_SIZE = 64 * 1024;

const MAIN = fileURLToPath(new URL("./expression-process.ts", import.meta.url));

export type Task = {
  source: string;
  context: unknown;
  parts: readonly Part[];
  canonical: boolean;
  resultId: number;
  signal: AbortSignal | undefined;
};

/** One evaluation at a time, in a process of its own. */
export class EvaluationProcess {
  readonly #limits: ExpressionLimits;
  #process: { child: ChildProcess; ready: Promise<unknown>; has: PartMemory<true> } | undefined;
  #closed = false;

  constructor(limits: ExpressionLimits) {
    this.#limits = limits;
  }

  /** Characters of these parts that it would have to be sent. */
  lacks(parts: readonly Part[]): number {
    const has = this.#process?.has;
    return parts.reduce((sum, { id, text }) => (has?.get(id) ? sum : sum + text.length), 0);
  }

  async evaluate({ source, context, parts, canonical, resultId, signal }: Task) {
    const { child, has } = await this.#running();
    const sender = new TextSender();
    const evaluation: Evaluation = {
      kind: "evaluate",
      source,
      context,
      ...told(parts, has, sender),
      canonical,
      resultId,
      keptFrom: PARSED_SIZE,
      maxResultSize: MAX_RESULT_SIZE,
    };
    const { answer: evaluated, textOf } = await this.#answer<Evaluated>(child, evaluation, sender, signal);
    if (evaluated.state === "value" && evaluated.kept !== undefined)
      has.keep([{ id: resultId, size: evaluated.kept, value: true }]);
    return { evaluated, textOf };
  }

  async check(schema: object, { context, parts }: Pick<Task, "context" | "parts">): Promise<Checked> {
    const { child, has } = await this.#running();
    const sender = new TextSender();
    const checking: Checking = { kind: "check", schema, context, ...told(parts, has, sender) };
    return (await this.#answer<Checked>(child, checking, sender)).answer;
  }

  async read(json: string | Buffer, lazy: Reading["lazy"], maxDepth: number): Promise<ReadObject> {
    const { child, has } = await this.#running();
    const sender = new TextSender();
    const reading: Reading = { kind: "read", json: sender.add(json), lazy, maxDepth };
    const { answer: read } = await this.#answer<ReadObject>(child, reading, sender);
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
    const child = fork(MAIN, [String(process.pid)], {
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

  async #answer<T extends object>(
    child: ChildProcess,
    message: Evaluation | Checking | Reading,
    sender: TextSender,
    signal?: AbortSignal,
  ): Promise<{ answer: T; textOf: TextOf }> {
    const answered = Promise.withResolvers<{ answer: T; textOf: TextOf }>();
    const over = () => answered.reject(new GatewayError(this.#closed ? "draining" : "expression_timeout"));
    const stop = () => answered.reject(signal?.reason);
    const received = new TextReceiver();
    const receive = (answer: T) => {
      if (!received.takes(answer)) answered.resolve({ answer, textOf: received.read() });
    };
    const timer = setTimeout(over, this.#limits.expressionTimeoutMs);
    child.on("message", receive);
    // V8 has ended the process for want of memory.
    child.once("exit", over);
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    const send = (part: object) => child.send(part, (error) => error && over());
    try {
      for (const piece of sender.pieces()) {
        send(piece);
        await Promise.race([setImmediate(), answered.promise]);
      }
      send(message);
      return await answered.promise;
    } catch (error) {
      this.#process = undefined;
      await end(child);
      throw error;
    } finally {
      clearTimeout(timer);
      child.off("message", receive);
      child.off("exit", over);
      signal?.removeEventListener("abort", stop);
    }
  }
}

/** What a process is told of the parts of a context. @param has what it has already */
function told(parts: readonly Part[], has: PartMemory<true>, sender: TextSender) {
  // A value may have several places.
  const unique = [...new Map(parts.map((part) => [part.id, part])).values()];
  const sent = unique.map(({ id, text }) => {
    const part = { id, size: text.length };
    return has.get(id) ? part : { ...part, text: sender.add(text) };
  });
  has.keep(sent.map(({ id, size }) => ({ id, size, value: true })));
  return { places: parts.map(({ path, id }) => ({ path, id })), parts: sent };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
