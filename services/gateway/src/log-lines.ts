import { type DestinationStream, pino } from "pino";

/** Written at once: a system call a line would cost more than the line. */
const BATCH_CHARACTERS = 64 * 1024;

/** How long a line may wait for others. */
const FLUSH_MS = 500;

/**
 * Where the log's lines go, many at a time. The library's own batches (`minLength`) measure all of a batch
 * anew with every line that joins it, which costs as much as writing the line did; here a line only joins.
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

  /** Everything is written when this returns: the last thing to do before the process ends. */
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
