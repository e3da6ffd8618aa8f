import { isEventStream, isJson } from "../bodies.ts";
import { Defect } from "../defect.ts";
import { type ExchangeOptions, exchange, type OutgoingRequest } from "../exchange.ts";
import type { Outcome } from "../outcome.ts";
import type { Upstream } from "../upstreams.ts";
import { cancelCall } from "./payload.ts";
import { A2aReader } from "./reader.ts";

/** For an agent to take note that a task is cancelled. */
const CANCEL_MS = 5_000;

/**
 * Sends a message to an agent that speaks A2A, and reads its answer to the end. A task that nobody waits for any more is cancelled there.
 * @param options.isDialogue whether the agent may ask something
 */
export async function a2aExchange(
  { base, connections }: Upstream,
  message: Omit<OutgoingRequest, "path">,
  { isDialogue, ...options }: ExchangeOptions & { isDialogue: boolean },
): Promise<Outcome> {
  const { requestId, maxEventBytes, maxResponseBytes, timeoutMs } = options;
  const path = base === "" ? "/" : base;
  let task: string | undefined;
  const asked: ExchangeOptions = {
    ...options,
    endpoint: "stream",
    // Its silence is no sign of anything: it need not send comments.
    headersMs: timeoutMs,
    silenceMs: 0,
    readerOf(type, onEvent) {
      const isStream = isEventStream(type);
      if (!isStream && !isJson(type)) throw new Defect("not_event_stream");
      const onTask = (id: string) => (task = id);
      return new A2aReader({
        ...{ requestId, isDialogue, isStream, maxEventBytes, maxResponseBytes, onEvent, onTask },
      });
    },
  };
  const outcome = await exchange(connections, { path, ...message }, asked);
  const isLeft = !outcome.ok && (options.signal.aborted || outcome.error.code === "upstream_timeout");
  if (isLeft && task !== undefined) {
    const request = { path, headers: message.headers, body: cancelCall(requestId, task) };
    const signal = AbortSignal.timeout(CANCEL_MS);
    // Whatever it answers, the run is over.
    void exchange(connections, request, { ...asked, signal, timeoutMs: CANCEL_MS }).catch(() => undefined);
  }
  return outcome;
}
