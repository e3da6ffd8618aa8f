import { Connection } from "./http.ts";
import { Troubles } from "./job.ts";
import { readStream } from "./read-stream.ts";
import { follow, stream } from "./requests.ts";

export type HeldResult = { readonly open: number; readonly bad: number; readonly trouble: string };

/** How many streams are being opened at a time. */
const RAMP = 100;

const RUN = /"thread_id":"([A-Za-z0-9_-]+)"/;

/** One event an hour: open, and otherwise silent. */
const SILENT = { events: 1, every_ms: 3_600_000 };

/** Streams that stay open and say nothing. */
export class HeldStreams {
  readonly #url: string;
  readonly #connections: Connection[] = [];
  readonly #runs: string[] = [];
  readonly #troubles = new Troubles();
  #open = 0;
  #closing = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** Opens more streams, each with a run of its own, or each as a second reader of a run that has one. Resolves when all are open. */
  async open(count: number, readers: "own" | "second"): Promise<HeldResult> {
    let left = count;
    const opener = async () => {
      while (left > 0 && this.#troubles.count < 20) {
        const index = --left;
        await this.#openOne(readers === "own" ? undefined : this.#runs[index]);
      }
    };
    await Promise.all(Array.from({ length: RAMP }, opener));
    return this.state();
  }

  state(): HeldResult {
    return { open: this.#open, bad: this.#troubles.count, trouble: this.#troubles.first };
  }

  close(): void {
    this.#closing = true;
    for (const connection of this.#connections) connection.close();
  }

  /** Resolves with the first event, or with the end of a stream that has none. */
  #openOne(runId: string | undefined): Promise<void> {
    return new Promise((resolve) => {
      const connection = new Connection(this.#url);
      this.#connections.push(connection);
      const request = runId === undefined ? stream("gateway", SILENT) : follow(runId);
      const isOpen = (frame: string) => {
        this.#open++;
        const run = RUN.exec(frame)?.[1];
        if (runId === undefined && run !== undefined) this.#runs.push(run);
        resolve();
      };
      const gone = (why: string) => {
        resolve();
        if (!this.#closing) this.#troubles.add(why);
      };
      readStream(connection, request, "gateway", { first: isOpen }).then(
        ({ status }) => gone(`a stream ended, ${status}`),
        (error: unknown) => gone(String(error)),
      );
    });
  }
}
