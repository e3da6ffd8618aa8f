import type { Dialect } from "../dialects/dialect.ts";
import { isRest, type StoredEvent } from "../runs/events.ts";
import type { LiveRun } from "../runs/live-run.ts";
import type { LogReader } from "../store/log-reader.ts";
import type { SseStream } from "./sse.ts";

/** Writes events to a stream in a dialect, and ends it where the run comes to rest. */
export class RunStreamWriter {
  readonly #stream: SseStream;
  readonly #dialect: Dialect;
  readonly #known: number;
  #seq: number;

  /** @param known the run's last seq when the stream began: a pause before it is over, and the stream goes on */
  constructor(stream: SseStream, dialect: Dialect, after = 0, known = 0) {
    this.#stream = stream;
    this.#dialect = dialect;
    this.#seq = after;
    this.#known = known;
  }

  /** The last seq written. */
  get seq(): number {
    return this.#seq;
  }

  /** @returns a promise where the client is too far behind to be written to now; it resolves when it has caught up, or is gone */
  events(batch: readonly StoredEvent[]): Promise<void> | undefined {
    const last = batch.at(-1);
    if (!last) return undefined;
    const over = isRest(last) && last.seq >= this.#known;
    let frames = "";
    for (const event of batch) frames += this.#dialect.frame(event, over && event === last);
    this.#seq = last.seq;
    if (over) this.#stream.end(frames);
    else this.#stream.write(frames);
    return !over && this.#stream.isBehind ? this.#stream.drained() : undefined;
  }
}

/**
 * Streams a run that this replica executes. Where the run goes to another holder, or the client cannot keep up with it, goes on from
 * the store, at the client's pace.
 */
export function streamLive(
  run: LiveRun,
  writer: RunStreamWriter,
  stream: SseStream,
  reader: LogReader,
): void {
  const goOn = () => streamStored(run.keys.events(run.id), writer, stream, reader);
  const leave = run.subscribe({
    events: (batch) => {
      const behind = writer.events(batch);
      if (!behind) return;
      leave();
      void behind.then(goOn);
    },
    lost: goOn,
  });
  stream.whenClosed(leave);
}

/** Streams a run from the store, from where the writer stands. */
export function streamStored(
  key: string,
  writer: RunStreamWriter,
  stream: SseStream,
  reader: LogReader,
): void {
  // The client reconnects from its last seq: an end without the run's end is an error to it.
  const failed = () => stream.end();
  reader
    .follow(key, writer.seq, { events: (batch) => writer.events(batch), failed }, stream.signal)
    .catch(failed);
}
