import { forEach } from "./drive.ts";
import { Connection } from "./http.ts";
import { readStream } from "./read-stream.ts";
import { follow, stream } from "./requests.ts";

/** How many streams are opened at a time. */
const RAMP = 100;

const RUN = /"thread_id":"([A-Za-z0-9_-]+)"/;

/** One event an hour: open, and otherwise silent. */
const SILENT = { events: 1, every_ms: 3_600_000 };

/** Streams that stay open and say nothing. */
export class HeldStreams {
  readonly #url: string;
  readonly #connections: Connection[] = [];
  readonly #runs: string[] = [];
  #failure: unknown;

  constructor(url: string) {
    this.#url = url;
  }

  /** Opens streams, each with a run of its own. Resolves when all are open. */
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

  /** How many streams are open. @throws what ended one of them */
  count(): number {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#connections.length;
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  /** Resolves with the first event; none of these streams has to end. */
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
