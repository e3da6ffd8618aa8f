import type { Dialect } from "../dialects/index.ts";
import type { RunHandle } from "../runs/index.ts";
import type { SseStream } from "./sse.ts";
import { runView } from "./views.ts";

/**
 * Streams a run's events after `after` in a dialect, at the client's pace, until the run rests or the client is gone.
 * @param open starts the stream; called when the events can be read, so that a failure before is an ordinary error
 * @throws GatewayError store_unavailable
 */
export async function streamRun(
  run: RunHandle,
  { after = 0, dialect, open }: { after?: number; dialect: Dialect; open: () => SseStream },
): Promise<void> {
  const batches = await run.events(after);
  const stream = open();
  stream.whenClosed(() => void batches.return?.());
  for await (const { events, over, reset } of batches) {
    const last = events.at(-1);
    let frames = reset ? `event: reset\ndata: ${JSON.stringify(runView(reset))}\n\n` : "";
    for (const event of events) frames += dialect.frame(event, over && event === last);
    if (over) stream.end(frames);
    else stream.write(frames);
    if (stream.isBehind) await stream.drained();
  }
  // An end without the run's rest is an error to the client, which reconnects from its last seq.
  stream.end();
}
