import type { Dialect } from "../dialects/index.ts";
import { slices } from "../events/index.ts";
import type { RunBatch, RunHandle } from "../runs/index.ts";
import type { SseStream } from "./sse.ts";
import { runView } from "./views.ts";

/**
 * Streams a run's events after `after` in a dialect, at the client's pace, until the run rests or the client is gone.
 * @param open starts the stream; called when the events can be read, so that a failure before is an ordinary error
 * @throws GatewayError store_unavailable; whatever the dialect throws, which ends this stream alone
 */
export async function streamRun(
  run: RunHandle,
  { after = 0, dialect, open }: { after?: number; dialect: Dialect; open: () => SseStream },
): Promise<void> {
  const batches = await run.events(after);
  const stream = open();
  stream.whenClosed(() => void batches.return?.());
  for await (const batch of batches) await write(stream, dialect, batch);
  // An end without the run's rest is an error to the client, which reconnects from its last seq.
  stream.end();
}

async function write(stream: SseStream, dialect: Dialect, { events, over, reset }: RunBatch): Promise<void> {
  if (reset) stream.write(`event: reset\ndata: ${JSON.stringify(runView(reset))}\n\n`);
  const last = events.at(-1);
  for (const slice of slices(events)) {
    let frames = "";
    for (const event of slice) frames += dialect.frame(event, over && event === last);
    if (over && slice.at(-1) === last) stream.end(frames);
    else stream.write(frames);
    if (stream.isBehind) await stream.drained();
  }
}
