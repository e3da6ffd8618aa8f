import { type DestinationStream, pino } from "pino";

/** Lines per write: a system call for each line would cost more than making the line. */
const BATCH_CHARACTERS = 64 * 1024;

/** Longest delay of a line. */
const FLUSH_MS = 500;

/**
 * Batches the lines of the log. The batching of the library (`minLength`) measures the whole batch again with each line that it adds,
 * which costs as much as writing the line.
 */
export class LogLines implements DestinationStream {
  readonly #dest: ReturnType<typeof pino.destination>;
  #lines = "";

  constructor(descriptor: number) {
    this.#dest = pino.destination({ dest: descriptor, sync: false, maxWrite: 4 * BATCH_CHARACTERS });
    setInterval(() => this.#flush(), FLUSH_MS).unref();
  }

  write(line: string): void {
    this.#lines += line;
    if (this.#lines.length >= BATCH_CHARACTERS) this.#flush();
  }

  /** Writes everything before it returns. To be called last before the process ends. */
  flushSync(): void {
    this.#flush();
    this.#dest.flushSync();
  }

  #flush(): void {
    if (this.#lines === "") return;
    const lines = this.#lines;
    this.#lines = "";
    this.#dest.write(lines);
  }
}
