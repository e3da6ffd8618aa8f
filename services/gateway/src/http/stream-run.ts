import type { Dialect, Encoder } from "../dialects/index.ts";
import type { RunBatch, RunHandle } from "../runs/index.ts";
import type { SseStream } from "./sse.ts";
import { runView } from "./views.ts";

/**
 * Streams a run's events after `after` in a dialect, at the client's pace, until the run rests or the client is gone.
 * @param open starts the stream; called when the events can be read, so that a failure before is an ordinary error
 * @returns when the stream is open; it goes on by itself. What the dialect throws ends this stream alone.
 * @throws GatewayError store_unavailable
 */
export async function streamRun(
  run: RunHandle,
  { after = 0, dialect, open }: { after?: number; dialect: Dialect; open: () => SseStream },
): Promise<void> {
  const feed = await run.events(after);
  const encoder = dialect.open({ runId: run.id, conversationId: run.conversationId });
  const stream = open();
  feed.to({
    batch: (batch) => {
      try {
        return write(stream, encoder, batch);
      } catch (error) {
        feed.close();
        stream.fail(error);
        return undefined;
      }
    },
    // To the client, a stream that ends before the run rests is an error: it reconnects from its last seq.
    cutOff: () => stream.end(),
  });
  stream.whenClosed(() => feed.close());
}

/** @returns back-pressure, where the client is behind */
function write(
  stream: SseStream,
  encoder: Encoder,
  { events, over, reset }: RunBatch,
): Promise<void> | undefined {
  const last = events.at(-1);
  let frames = reset ? `event: reset\ndata: ${JSON.stringify(runView(reset))}\n\n` : "";
  for (const event of events) frames += encoder.frame(event, over && event === last);
  if (over) stream.end(frames);
  else stream.write(frames);
  return stream.isBehind ? stream.drained() : undefined;
}
