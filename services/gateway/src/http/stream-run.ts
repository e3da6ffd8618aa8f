import type { Dialect, Encoder } from "../dialects/index.ts";
import { isRest } from "../events/index.ts";
import type { RunBatch, RunHandle } from "../runs/index.ts";
import type { SseStream } from "./sse.ts";
import { runView } from "./views.ts";

export type StreamOptions = {
  /** The last seq that the client has. */
  after?: number;
  dialect: Dialect;
  /** The label that users see while an agent works. */
  labelOf?: (agent: string) => string;
  /** Whether the stream ends where the run first rests, also where it has gone on since. */
  untilRest?: boolean;
  /** Starts the stream; called when the events can be read, so that a failure before is an ordinary error. */
  open: () => SseStream;
  /** Called when all of the stream was handed to the network, up to where the run rests. */
  onTold?: () => void;
};

/**
 * Streams a run's events after `after` in a dialect, at the client's pace, until the run rests or the client is gone.
 * @returns when the stream is open; it goes on by itself. What the dialect throws ends this stream alone.
 * @throws GatewayError store_unavailable
 */
export async function streamRun(run: RunHandle, options: StreamOptions): Promise<void> {
  const { after = 0, dialect, labelOf, open } = options;
  const feed = await run.events(dialect.remembers ? 0 : after);
  const encoder = dialect.open({ runId: run.id, conversationId: run.conversationId, labelOf });
  const stream = open();
  if (encoder.cut) stream.lastWords = () => encoder.cut?.() ?? "";
  feed.to({
    batch: (batch) => {
      try {
        return write(stream, encoder, batch, options);
      } catch (error) {
        feed.close();
        stream.fail(error);
        return undefined;
      }
    },
    // For the client a stream that ends before the run rests is an error, so it reconnects from its last seq.
    cutOff: () => stream.end(encoder.cut?.()),
  });
  stream.whenClosed(() => feed.close());
}

/** @returns back-pressure, where the client is behind */
function write(
  stream: SseStream,
  encoder: Encoder,
  { events, over, reset }: RunBatch,
  { after = 0, untilRest, onTold, dialect }: StreamOptions,
): Promise<void> | undefined {
  const end = (untilRest ? events.find(isRest) : undefined) ?? (over ? events.at(-1) : undefined);
  let frames = reset && !dialect.untold ? `event: reset\ndata: ${JSON.stringify(runView(reset))}\n\n` : "";
  for (const event of events) {
    const frame = encoder.frame(event, event === end);
    if (event.seq > after) frames += frame;
    if (event === end) break;
  }
  if (end) stream.end(frames, onTold);
  else if (frames !== "") stream.write(frames);
  return stream.isBehind ? stream.drained() : undefined;
}
