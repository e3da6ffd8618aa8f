import { setTimeout as delay } from "node:timers/promises";
import { type Spread, spreadOf } from "./figures.ts";
import { Connection } from "./http.ts";
import { atMost, type Job, Troubles, Window } from "./job.ts";
import { readStream } from "./read-stream.ts";
import { type Side, stream, type Work } from "./requests.ts";

export type StreamsOptions = {
  readonly url: string;
  readonly side: Side;
  /** Open at once; each is followed by the next. */
  readonly streams: number;
  readonly events: number;
  readonly everyMs: number;
};

export type StreamsResult = {
  readonly events: number;
  readonly perS: number;
  /** Milliseconds from an event's sending by the agent to its reading by the client. */
  readonly transitMs: Spread;
  /** Milliseconds from the ask to the agent's first event. */
  readonly firstMs: Spread;
  /** Streams that began while counting: whole ones, and those that lacked something. */
  readonly complete: number;
  readonly bad: number;
  readonly trouble: string;
};

/** Looking for the time in every event would cost the load more than reading the events. */
const TIMED_EVERY = 8;

const TIME = /"t":(\d+\.?\d*)/;

/** So many clients that read one stream after another. */
export class Streams implements Job<StreamsResult> {
  readonly #options: StreamsOptions;
  readonly #clients: Promise<void>;
  readonly #window = new Window();
  readonly #troubles = new Troubles();
  readonly #transitMs: number[] = [];
  readonly #firstMs: number[] = [];
  #events = 0;
  #complete = 0;
  #stopped = false;

  constructor(options: StreamsOptions) {
    this.#options = options;
    this.#clients = Promise.all(
      Array.from({ length: options.streams }, (_, index) => this.#read(index)),
    ).then(() => undefined);
  }

  record(): void {
    this.#window.open();
  }

  async finish(): Promise<StreamsResult> {
    const { everyMs, events } = this.#options;
    this.#window.close();
    const counted = this.#events;
    this.#stopped = true;
    await atMost(10_000 + everyMs * events, this.#clients);
    return {
      events: counted,
      perS: counted / this.#window.seconds,
      transitMs: spreadOf(this.#transitMs),
      firstMs: spreadOf(this.#firstMs),
      complete: this.#complete,
      bad: this.#troubles.count,
      trouble: this.#troubles.first,
    };
  }

  async #read(index: number): Promise<void> {
    const { url, side, streams, events, everyMs } = this.#options;
    const connection = new Connection(url);
    const work: Work = { events, every_ms: everyMs };
    // Spread over one stream's length, so that the events of all streams come evenly.
    await delay((index / streams) * everyMs * events);
    while (!this.#stopped) {
      const counts = this.#window.isOpen;
      const since = performance.now();
      let seen = 0;
      try {
        const { status, over } = await readStream(connection, stream(side, work), side, {
          event: (frame) => {
            if (++seen === 1 && counts) this.#firstMs.push(performance.now() - since);
            if (this.#window.isOpen) this.#count(frame);
          },
        });
        if (status >= 300 || !over || seen !== events) {
          this.#troubles.add(`${status}, ${seen} events, ${over ? "ended" : "cut"}`);
          await delay(50);
        } else if (counts) this.#complete++;
      } catch (error) {
        this.#troubles.add(String(error));
        await delay(50);
      }
    }
    connection.close();
  }

  #count(frame: string): void {
    if (this.#events++ % TIMED_EVERY > 0) return;
    const sent = TIME.exec(frame)?.[1];
    if (sent !== undefined) this.#transitMs.push(performance.timeOrigin + performance.now() - Number(sent));
  }
}
