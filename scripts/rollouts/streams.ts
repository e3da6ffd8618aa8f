import { randomUUID } from "node:crypto";
import { createClient, type Fetch } from "@interlock/client";
import type { Asker } from "./asker.ts";

const COME_BACK = /(?:^|\n\n)retry: \d+\n: this replica stops, come back\n\n$/;
const LAST_CHARACTERS = 200;

/** Readers that are there all the time. Each follows a run to its end, and then the next one. */
export class Streams {
  readonly #asker: Asker;
  readonly #count: number;
  readonly #readers: Promise<void>[];
  readonly #each: number;
  readonly #signal: AbortSignal;
  #over = false;
  #open = 0;
  #read = 0;
  #resumed = 0;
  #longestGapMs = 0;
  readonly failures: string[] = [];

  /** @param options.each how many follow the same run @param options.signal ends them where they are */
  constructor(asker: Asker, { count, each, signal }: { count: number; each: number; signal: AbortSignal }) {
    this.#asker = asker;
    this.#signal = signal;
    this.#count = count;
    this.#each = each;
    this.#readers = Array.from({ length: Math.ceil(count / each) }, () => this.#group());
  }

  /** Whether all readers have a stream. */
  get allOpen(): boolean {
    return this.#open >= this.#count;
  }

  async stop(): Promise<string> {
    this.#over = true;
    await Promise.all(this.#readers);
    const gap = `after ${Math.round(this.#longestGapMs)} ms at the most`;
    return `${this.#read} streams read to their end, resumed ${this.#resumed} times, ${gap}`;
  }

  get resumed(): number {
    return this.#resumed;
  }

  async #group(): Promise<void> {
    while (!this.#over && !this.#signal.aborted) {
      const body = {
        session_id: randomUUID(),
        flow: "change",
        inputs: { ms: 2_000, beats: 10, gate: false },
      };
      const started = await this.#asker.post("/runs", body);
      const run = started.body.run_id;
      if (typeof run !== "string") this.failures.push(`a run was not started: ${started.status}`);
      else await Promise.all(Array.from({ length: this.#each }, () => this.#follow(run)));
    }
  }

  async #follow(run: string): Promise<void> {
    let lastAt: number | undefined;
    const { url: baseUrl, token } = this.#asker;
    const client = createClient({
      ...{ baseUrl, token, fetch: this.#watched },
      onRetry: () => {
        this.#resumed++;
        lastAt = performance.now();
      },
    });
    this.#open++;
    try {
      let seq = 0;
      let last = "";
      for await (const event of client.runs.events(run, { signal: this.#signal })) {
        if (lastAt !== undefined) {
          this.#longestGapMs = Math.max(this.#longestGapMs, performance.now() - lastAt);
          lastAt = undefined;
        }
        if (event.type === "reset" || event.seq !== ++seq)
          this.failures.push(`${run} has a gap after ${seq}`);
        last = event.type;
      }
      if (last !== "run_finished") this.failures.push(`${run} ended with ${last}`);
      this.#read++;
    } catch (error) {
      this.failures.push(`${run} was lost: ${Error.isError(error) ? error.message : String(error)}`);
    } finally {
      this.#open--;
    }
  }

  /** A stream that is not over has to end between two events, with the hint when to come back. */
  readonly #watched: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream"))
      return response;
    const decoder = new TextDecoder();
    let tail = "";
    const { failures } = this;
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        tail = (tail + decoder.decode(chunk, { stream: true })).slice(-LAST_CHARACTERS * 20);
        controller.enqueue(chunk);
      },
      flush() {
        const isOver = /\nevent: run_(?:finished|failed|cancelled)\n[\s\S]*\n\n$/.test(tail);
        if (!isOver && !COME_BACK.test(tail))
          failures.push(`a stream ended without a word: …${JSON.stringify(tail.slice(-LAST_CHARACTERS))}`);
      },
    });
    return new Response(response.body.pipeThrough(watch), response);
  };
}
