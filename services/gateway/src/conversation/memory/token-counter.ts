import { Worker } from "node:worker_threads";
import type { TokenCount, TokenRequest } from "./token-worker.ts";

/** The thread, with the tokenizer's tables, is kept for this long after its last use. */
const IDLE_MS = 30_000;
/** Texts that take longer are no conversation. */
const PATIENCE_MS = 10_000;
const MEMORY_MB = 256;

type Waiting = PromiseWithResolvers<number> & { timer: NodeJS.Timeout };

/**
 * Counts tokens in a thread of its own: loading the tokenizer's tables would hold the event loop for far more than it may be held. The
 * thread is started at first use and ends when it is not used any more.
 */
export class TokenCounter {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #requests = 0;

  /** @throws Error where the thread fails or takes too long; the next call starts another one */
  async count(texts: readonly string[]): Promise<number> {
    clearTimeout(this.#idle);
    const id = this.#requests++;
    const timer = setTimeout(() => this.#fail(new Error("counting tokens took too long")), PATIENCE_MS);
    const waiting = { ...Promise.withResolvers<number>(), timer };
    this.#waiting.set(id, waiting);
    this.#worker ??= this.#start();
    this.#worker.postMessage({ id, texts } satisfies TokenRequest);
    return await waiting.promise;
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#fail(new Error("the gateway stops"));
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL("./token-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    worker.unref();
    worker.on("message", (count: TokenCount) => this.#settle(count));
    worker.on("error", (error) => {
      if (worker === this.#worker) this.#fail(error);
    });
    return worker;
  }

  #settle({ id, tokens }: TokenCount): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    waiting.resolve(tokens);
    if (this.#waiting.size === 0) this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
  }

  #fail(error: unknown): void {
    this.#end();
    for (const { timer, reject } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#waiting.clear();
  }

  #end(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }
}
