import { setTimeout as delay } from "node:timers/promises";
import { type Counting, drive } from "./drive.ts";
import { spreadOf } from "./figures.ts";
import { Connection } from "./http.ts";
import { readStream } from "./read-stream.ts";
import { type Side, stream } from "./requests.ts";

export type StreamsOptions = {
  readonly url: string;
  readonly side: Side;
  /** Number of clients; each opens a new stream when its last one has ended. */
  readonly streams: number;
  readonly events: number;
  readonly everyMs: number;
};

export type StreamsResult = Awaited<ReturnType<typeof runStreams>>;

/** Parsing the timestamp of every event would cost the load generator more than reading the events. */
const TIMED_EVERY = 8;

const TIME = /"t":(\d+\.?\d*)/;

/** Runs clients that each read one stream after another. */
export async function runStreams(options: StreamsOptions, counting: Omit<Counting, "warmS">) {
  const { url, side, streams, events, everyMs } = options;
  const lastsMs = everyMs * events;
  const transitMs: number[] = [];
  const firstMs: number[] = [];
  let read = 0;
  let complete = 0;
  const counted = await drive({
    counting: { ...counting, warmS: 0.5 + lastsMs / 1000 },
    clients: streams,
    lastsMs,
    async client(phase, index) {
      const connection = new Connection(url);
      // Staggered over the length of one stream, so that the events of all streams arrive evenly.
      await delay((index / streams) * lastsMs);
      while (phase() !== "over") {
        const counts = phase() === "counting";
        const since = performance.now();
        let seen = 0;
        await readStream(connection, stream(side, { events, every_ms: everyMs }), side, {
          event: (frame) => {
            if (++seen === 1 && counts) firstMs.push(performance.now() - since);
            if (phase() !== "counting" || read++ % TIMED_EVERY > 0) return;
            const sentAt = Number(TIME.exec(frame)?.[1]);
            transitMs.push(performance.timeOrigin + performance.now() - sentAt);
          },
        });
        if (seen !== events) throw new Error(`a stream had ${seen} events instead of ${events}`);
        if (counts) complete++;
      }
      connection.close();
    },
  });
  return {
    ...counted,
    events: read,
    perS: read / counted.seconds,
    /** From the agent's write of an event to the client's read. */
    transitMs: spreadOf(transitMs),
    /** From the ask to the agent's first event. */
    firstMs: spreadOf(firstMs),
    /** Complete streams that began while counting. */
    complete,
  };
}
