import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "@interlock/client";
import { COMPOSITE_ASK, SIMPLE_ASK } from "../lib/asks.ts";
import type { Asker } from "./answers.ts";

const PAUSE_MS = 100;
/** How long a stream may pause when its gateway is drained. */
const RESUME_MS = 3_000;

/** A few clients until they are stopped: some send POSTs without retrying, some read the streams of plans. */
export class SmallLoad {
  readonly #analyst: Asker;
  readonly #callers: Promise<void>[];
  readonly #failures: string[] = [];
  #over = false;
  #posts = 0;
  #streams = 0;
  #cuts = 0;
  #longestGapMs = 0;

  constructor(analyst: Asker) {
    this.#analyst = analyst;
    this.#callers = [
      this.#post("/chat", { message: SIMPLE_ASK }, 200),
      this.#post("/runs", { flow: "pricing", goals: ["optimizer"] }, 202),
      this.#read(),
      this.#read(),
      this.#read(),
    ];
  }

  /** @throws where a POST failed, or a stream did not continue in time */
  async stop(): Promise<string> {
    this.#over = true;
    await Promise.all(this.#callers);
    if (this.#failures.length > 0) throw new Error([...new Set(this.#failures)].join("; "));
    const gap = `${this.#cuts} cuts healed in ${Math.round(this.#longestGapMs)} ms at the most`;
    return `${this.#posts} POSTs, ${this.#streams} streams, ${gap}`;
  }

  async #post(path: string, order: object, expected: number): Promise<void> {
    const { url, token } = this.#analyst;
    const authorization = `Bearer ${await token()}`;
    while (!this.#over) {
      const body = JSON.stringify({ ...order, session_id: randomUUID() });
      const headers = { "content-type": "application/json", authorization };
      try {
        const answer = await fetch(`${url}/api/v1${path}`, { method: "POST", headers, body });
        await answer.arrayBuffer();
        if (answer.status !== expected) this.#failures.push(`${path} was answered with ${answer.status}`);
      } catch {
        this.#failures.push(`${path} was not answered`);
      }
      this.#posts += 1;
      await delay(PAUSE_MS);
    }
  }

  async #read(): Promise<void> {
    const { url, token } = this.#analyst;
    let cutAt: number | undefined;
    const onRetry = () => {
      this.#cuts += 1;
      cutAt ??= performance.now();
    };
    const client = createClient({ baseUrl: url, token, retry: false, onRetry });
    while (!this.#over) {
      try {
        const stream = client.chat(COMPOSITE_ASK, { sessionId: randomUUID() });
        for await (const _ of stream) {
          if (cutAt === undefined) continue;
          this.#healed(performance.now() - cutAt);
          cutAt = undefined;
        }
        await stream.result;
      } catch (error) {
        this.#failures.push(`a stream failed: ${Error.isError(error) ? error.message : String(error)}`);
      }
      this.#streams += 1;
    }
  }

  #healed(gapMs: number): void {
    this.#longestGapMs = Math.max(this.#longestGapMs, gapMs);
    if (gapMs > RESUME_MS) this.#failures.push(`a stream went on after ${Math.round(gapMs)} ms`);
  }
}
