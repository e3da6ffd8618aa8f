import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "@interlock/client";
import { COMPOSITE_ASK } from "../lib/asks.ts";

const PAUSE_MS = 100;
/** What a drained gateway's streams may miss. */
const RESUME_MS = 3_000;

/** A few callers who go on until they are stopped: some begin runs with plain POSTs and no patience, some read the streams of plans. */
export class SmallLoad {
  readonly #url: string;
  readonly #callers: Promise<void>[];
  readonly #failures: string[] = [];
  #over = false;
  #posts = 0;
  #streams = 0;
  #cuts = 0;
  #longestGapMs = 0;

  constructor(url: string) {
    this.#url = url;
    this.#callers = [this.#post(1), this.#post(2), this.#read(3), this.#read(4)];
  }

  /** @throws where a POST failed, or a stream did not go on in time */
  async stop(): Promise<string> {
    this.#over = true;
    await Promise.all(this.#callers);
    if (this.#failures.length > 0) throw new Error([...new Set(this.#failures)].join("; "));
    const gap = `${this.#cuts} cuts healed in ${Math.round(this.#longestGapMs)} ms at the most`;
    return `${this.#posts} POSTs, ${this.#streams} streams, ${gap}`;
  }

  async #post(caller: number): Promise<void> {
    for (let turn = 1; !this.#over; turn += 1) {
      const body = { flow: "pricing", goals: ["optimizer"], session_id: `load-${caller}-${turn}` };
      try {
        const { status } = await fetch(`${this.#url}/api/v1/runs`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        if (status !== 202) this.#failures.push(`a POST was answered with ${status}`);
      } catch {
        this.#failures.push("a POST was not answered");
      }
      this.#posts += 1;
      await delay(PAUSE_MS);
    }
  }

  async #read(caller: number): Promise<void> {
    let cutAt: number | undefined;
    const onRetry = () => {
      this.#cuts += 1;
      cutAt ??= performance.now();
    };
    const client = createClient({ baseUrl: this.#url, retry: false, onRetry });
    for (let turn = 1; !this.#over; turn += 1) {
      try {
        const stream = client.chat(COMPOSITE_ASK, { sessionId: `load-${caller}-${turn}` });
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
      await delay(PAUSE_MS);
    }
  }

  #healed(gapMs: number): void {
    this.#longestGapMs = Math.max(this.#longestGapMs, gapMs);
    if (gapMs > RESUME_MS) this.#failures.push(`a stream went on after ${Math.round(gapMs)} ms`);
  }
}
