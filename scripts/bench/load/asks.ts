import { setTimeout as delay } from "node:timers/promises";
import { type Spread, spreadOf } from "./figures.ts";
import { Connection, exchange, type Request } from "./http.ts";
import { atMost, type Job, Troubles, Window } from "./job.ts";
import { type Answered, ask, conversation, isDone, type Side } from "./requests.ts";

export type AsksOptions = {
  /** Several: the asks go round. */
  readonly urls: readonly string[];
  readonly concurrency: number;
  /** How long a caller rests between an answer and the next ask: not at all. */
  readonly pauseMs?: number;
} & ({ readonly side: Side } | { readonly message: string });

export type AsksResult = {
  readonly answered: number;
  readonly perS: number;
  /** Milliseconds from the ask to its whole answer. */
  readonly ms: Spread;
  readonly bad: number;
  readonly trouble: string;
};

/** So many callers that ask again as soon as they are answered. */
export class Asks implements Job<AsksResult> {
  readonly #callers: Promise<void>;
  readonly #window = new Window();
  readonly #ms: number[] = [];
  readonly #troubles = new Troubles();
  #stopped = false;

  constructor(options: AsksOptions) {
    const { urls, concurrency, pauseMs = 0 } = options;
    const request = "side" in options ? () => ask(options.side) : () => conversation(options.message, false);
    const answered: Answered =
      "side" in options ? isDone[options.side] : (text) => text.includes('"done":true');
    this.#callers = Promise.all(
      Array.from({ length: concurrency }, (_, index) =>
        this.#call(urls[index % urls.length] ?? "", request, answered, pauseMs),
      ),
    ).then(() => undefined);
  }

  record(): void {
    this.#window.open();
  }

  async finish(): Promise<AsksResult> {
    this.#window.close();
    this.#stopped = true;
    await atMost(10_000, this.#callers);
    const answered = this.#ms.length;
    return {
      answered,
      perS: answered / this.#window.seconds,
      ms: spreadOf(this.#ms),
      bad: this.#troubles.count,
      trouble: this.#troubles.first,
    };
  }

  async #call(url: string, request: () => Request, answered: Answered, pauseMs: number): Promise<void> {
    const connection = new Connection(url);
    while (!this.#stopped) {
      const since = performance.now();
      try {
        const { status, text } = await exchange(connection, request());
        if (status < 300 && answered(text)) {
          if (this.#window.isOpen) this.#ms.push(performance.now() - since);
        } else this.#troubles.add(`${status} ${text}`);
        if (pauseMs > 0) await delay(pauseMs);
      } catch (error) {
        this.#troubles.add(String(error));
        await delay(20);
      }
    }
    connection.close();
  }
}
