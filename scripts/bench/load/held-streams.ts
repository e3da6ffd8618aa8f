import { forEach } from "./drive.ts";
import { Connection } from "./http.ts";
import { readStream } from "./read-stream.ts";
import { follow, stream } from "./requests.ts";

/** Number of streams that are being opened at any time. */
const RAMP = 100;

const RUN = /"thread_id":"([A-Za-z0-9_-]+)"/;

/** One event an hour keeps the stream open and silent. */
const SILENT = { events: 1, every_ms: 3_600_000 };

/** Streams that stay open without events. */
export class HeldStreams {
  readonly #url: string;
  readonly #connections: Connection[] = [];
  readonly #runs: string[] = [];
  #failure: unknown;

  constructor(url: string) {
    this.#url = url;
  }

  /** Opens streams, each with its own run. Resolves when all are open. */
  async openRuns(count: number): Promise<void> {
    await forEach(Array.from({ length: count }), RAMP, async () => {
      const frame = await this.#open(stream("gateway", SILENT));
      const run = RUN.exec(frame)?.[1];
      if (run === undefined) throw new Error("a stream did not name its run");
      this.#runs.push(run);
    });
  }

  /** Opens second readers of runs that are open. */
  async openReaders(count: number): Promise<void> {
    await forEach(this.#runs.slice(0, count), RAMP, async (run) => {
      await this.#open(follow(run));
    });
  }

  /** @returns the number of open streams @throws the reason if any of them has ended */
  count(): number {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#connections.length;
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  /** Resolves with the first event. A stream that ends is a failure. */
  #open(request: Parameters<Connection["send"]>[0]): Promise<string> {
    return new Promise((resolve, reject) => {
      const connection = new Connection(this.#url);
      this.#connections.push(connection);
      const ended = (error: unknown) => {
        this.#failure ??= error;
        reject(error);
      };
      readStream(connection, request, "gateway", { any: resolve }).then(
        () => ended(new Error("a held stream ended")),
        ended,
      );
    });
  }
}
