import { once } from "node:events";
import { type Spread, spreadOf } from "./figures.ts";
import { Connection, exchange, type Request } from "./http.ts";
import { atMost, forEach, Troubles } from "./job.ts";
import { approve, gated, nextId } from "./requests.ts";

export type DecisionsOptions = {
  readonly url: string;
  readonly worker: string;
  readonly runs: number;
  readonly concurrency: number;
};

export type PausesResult = {
  readonly paused: number;
  readonly perS: number;
  /** Milliseconds from the ask to the word that the run waits. */
  readonly ms: Spread;
  readonly bad: number;
  readonly trouble: string;
};

export type ResumesResult = {
  readonly resumed: number;
  readonly perS: number;
  /** Milliseconds from the sending of the approval to the arrival of the approved step at the agent. */
  readonly ms: Spread;
  readonly bad: number;
  readonly trouble: string;
};

type Run = { readonly mark: string; id?: string; approvedAt?: number };

const PATIENCE_MS = 30_000;

/** Clocks of two processes on one machine. */
const now = () => performance.timeOrigin + performance.now();

/** Runs that wait for a decision, then all get it. An effect of the decision is what the agent sees, not what the gateway answers. */
export class Decisions {
  readonly #options: DecisionsOptions;
  readonly #runs: readonly Run[];
  readonly #arrivals = new Map<string, number>();
  readonly #arrived = new EventTarget();
  readonly #idle: Connection[] = [];
  readonly #watch: Connection;

  constructor(options: DecisionsOptions) {
    this.#options = options;
    this.#runs = Array.from({ length: options.runs }, () => ({ mark: nextId() }));
    this.#watch = new Connection(options.worker);
  }

  async pause(): Promise<PausesResult> {
    await this.#watchArrivals();
    const troubles = new Troubles();
    const ms: number[] = [];
    const began = performance.now();
    await forEach(this.#runs, this.#options.concurrency, async (run) => {
      const since = performance.now();
      const { status, text } = await this.#call(gated(run.mark));
      const id = /"thread_id":"([^"]+)"/.exec(text)?.[1];
      if (status !== 200 || id === undefined || !text.includes('"status":"paused"')) {
        troubles.add(`${status} ${text}`);
        return;
      }
      run.id = id;
      ms.push(performance.now() - since);
    });
    const seconds = (performance.now() - began) / 1000;
    // A step that ran before its approval would make every other figure worthless.
    for (const { mark } of this.#runs) if (this.#arrivals.has(mark)) troubles.add("a step ran unapproved");
    return {
      paused: ms.length,
      perS: ms.length / seconds,
      ms: spreadOf(ms),
      bad: troubles.count,
      trouble: troubles.first,
    };
  }

  async approve(): Promise<ResumesResult> {
    const troubles = new Troubles();
    const waiting = this.#runs.filter(({ id }) => id !== undefined);
    const began = now();
    await forEach(waiting, this.#options.concurrency, async (run) => {
      run.approvedAt = now();
      const { status, text } = await this.#call(approve(run.id ?? ""));
      if (status !== 200) troubles.add(`${status} ${text}`);
      else if (this.#options.concurrency === 1) await this.#until(() => this.#arrivals.has(run.mark));
    });
    await this.#until(() => waiting.every(({ mark }) => this.#arrivals.has(mark)));
    const ms: number[] = [];
    let last = began;
    for (const { mark, approvedAt = 0 } of waiting) {
      const at = this.#arrivals.get(mark);
      if (at === undefined) troubles.add("an approved step never ran");
      else {
        ms.push(at - approvedAt);
        last = Math.max(last, at);
      }
    }
    this.#watch.close();
    for (const connection of this.#idle) connection.close();
    return {
      resumed: ms.length,
      perS: ms.length / ((last - began) / 1000),
      ms: spreadOf(ms),
      bad: troubles.count,
      trouble: troubles.first,
    };
  }

  async #call(request: Request): Promise<{ status: number; text: string }> {
    const connection = this.#idle.pop() ?? new Connection(this.#options.url);
    const answer = await exchange(connection, request);
    this.#idle.push(connection);
    return answer;
  }

  #watchArrivals(): Promise<void> {
    return new Promise((resolve, reject) => {
      let rest = "";
      const read = (text: string) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          const [mark = "", at] = line.split(" ");
          if (at === undefined) resolve();
          else this.#arrivals.set(mark, Number(at));
        }
        this.#arrived.dispatchEvent(new Event("arrived"));
      };
      const request: Request = { path: "/arrivals", method: "GET" };
      this.#watch.send(request, { data: read, end: () => undefined, error: reject });
    });
  }

  async #until(condition: () => boolean): Promise<void> {
    const late = AbortSignal.timeout(PATIENCE_MS);
    while (!condition() && !late.aborted) await atMost(PATIENCE_MS, once(this.#arrived, "arrived"));
  }
}
