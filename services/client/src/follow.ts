import { checkAborted, sleep } from "./abort.ts";
import { RetryBudget } from "./backoff.ts";
import type { Dialect, Phase } from "./dialects.ts";
import {
  type InterlockError,
  StreamError,
  StreamGapError,
  StreamInvalidError,
  type StreamPlace,
  StreamTruncatedError,
} from "./errors.ts";
import type { ResetEvent } from "./events.ts";
import { FrameReader, type FramesEnd, isEventStream } from "./frames.ts";
import { readFrame } from "./read-frame.ts";
import type { Settings } from "./settings.ts";
import { type Answer, askedToWaitMs, classify, isTransient } from "./transport.ts";

/** How far a run has been read. Updated in place while the stream is followed. */
export type Position = StreamPlace & {
  runId: string | undefined;
  seq: number;
  phase: Phase;
};

export type FollowPlan<E> = {
  readonly dialect: Omit<Dialect<E, unknown>, "result">;
  readonly settings: Settings;
  readonly position: Position;
  /** Requests the events after the position, in one attempt. */
  readonly connect: (position: StreamPlace, signal: AbortSignal) => Promise<Answer>;
};

/**
 * Yields a run's events in order, each once, and reconnects as often as needed. Returns after the last event,
 * or when the gateway answers 204 because there is nothing left to read.
 * @throws StreamTruncatedError, StreamGapError if reconnecting failed; StreamInvalidError if reconnecting
 *   cannot help; ApiError, ConnectionError if no stream was ever opened; AbortedError
 */
export async function* follow<E>(
  plan: FollowPlan<E>,
  signal: AbortSignal,
): AsyncGenerator<E | ResetEvent, void, undefined> {
  const { position, settings } = plan;
  const start = position.seq;
  let opened = false;
  let budget = new RetryBudget(settings.retry);
  const hint = { ms: 0 };
  for (;;) {
    const answer = await attempt(plan, signal);
    let trouble: InterlockError;
    if ("response" in answer) {
      const before = position.seq;
      try {
        if (answer.response.status === 204) return nothingMore(plan, start);
        const outcome = yield* readEvents(plan, answer.response, hint, signal);
        if (outcome === "over") return;
        trouble = outcome;
      } finally {
        answer.close();
      }
      if (!opened) {
        opened = true;
        budget = new RetryBudget(settings.reconnect);
      }
      if (position.seq > before) budget.reset();
    } else trouble = answer;

    const permanent = !(trouble instanceof StreamError) && !isTransient(trouble);
    const delayMs = permanent ? undefined : budget.next(Math.max(hint.ms, askedToWaitMs(trouble)));
    if (delayMs === undefined) throw opened ? asStreamError(trouble, position) : trouble;
    settings.onRetry?.({
      attempt: budget.attempts,
      delayMs,
      error: trouble,
      lastSeq: position.seq,
      ...(position.runId === undefined ? {} : { runId: position.runId }),
    });
    await sleep(delayMs, signal);
  }
}

async function attempt<E>(
  { connect, position }: FollowPlan<E>,
  signal: AbortSignal,
): Promise<Answer | InterlockError> {
  try {
    return await connect(position, signal);
  } catch (error) {
    const trouble = classify(error, signal);
    if (signal.aborted || trouble instanceof StreamInvalidError) throw trouble;
    return trouble;
  }
}

/** Once a stream was opened, any error that prevents its continuation is reported as a truncated stream. */
function asStreamError(trouble: InterlockError, position: Position): StreamError {
  if (trouble instanceof StreamError) return trouble;
  return new StreamTruncatedError(
    "The stream ended early and could not be resumed.",
    { ...position },
    trouble,
  );
}

/** Handles a 204: the gateway says that the run has ended and that the reader has all of its events. */
function nothingMore<E>({ position }: FollowPlan<E>, start: number): void {
  if (position.phase === "resting" || (start > 0 && position.seq === start)) return;
  throw new StreamTruncatedError("The run is over, but its last event never came.", { ...position });
}

/** How long to wait, after the last event, for the gateway to close the stream; a proxy may keep it open. */
const CLOSE_GRACE_MS = 1_000;

/**
 * Reads the events of one connection.
 * @returns "over", or an error that a reconnect may repair
 * @throws StreamInvalidError, AbortedError
 */
async function* readEvents<E>(
  plan: FollowPlan<E>,
  response: Response,
  hint: { ms: number },
  signal: AbortSignal,
): AsyncGenerator<E | ResetEvent, "over" | InterlockError, undefined> {
  const { position, settings, dialect } = plan;
  const { body } = response;
  if (!body || !isEventStream(response)) throw new StreamInvalidError("not_an_event_stream", { ...position });
  const frames = new FrameReader(
    body,
    { maxEventBytes: settings.maxEventBytes, onRetryHint: (ms) => (hint.ms = ms) },
    signal,
  );
  try {
    let rebased = false;
    // An incomplete event at the end is sent again after a reconnect.
    let parts: E[] = [];
    for (;;) {
      const read = await frames.read(position.phase === "over" ? CLOSE_GRACE_MS : settings.idleTimeoutMs);
      checkAborted(signal);
      if (isEnd(read)) return endOf(plan, read);
      for (const frame of read) {
        if (position.phase === "over") throw new StreamInvalidError("event_after_end", { ...position });
        const found = readFrame(frame, dialect);
        if (found.kind === "defect") throw new StreamInvalidError(found.reason, { ...position });
        if (found.kind === "reset") {
          rebased = true;
          yield found.event;
        } else if (found.kind === "part") parts.push(found.event);
        else {
          const [mayJump, whole] = [rebased, parts];
          rebased = false;
          parts = [];
          if (found.seq <= position.seq) continue;
          if (found.seq > position.seq + 1 && !mayJump) return new StreamGapError({ ...position });
          yield* whole;
          advance(plan, found.seq, found.event);
          yield found.event;
        }
        checkAborted(signal);
      }
    }
  } finally {
    frames.close();
  }
}

function advance<E>({ position, dialect }: FollowPlan<E>, seq: number, event: E): void {
  const runId = dialect.runId(event);
  if (runId !== undefined && runId !== (position.runId ?? runId))
    throw new StreamInvalidError("foreign_run", { ...position });
  position.runId ??= runId;
  position.seq = seq;
  position.phase = dialect.phase(event);
}

/** Decides whether the end of a connection is the end of the run, or an error that a reconnect may repair. */
function endOf<E>({ position }: FollowPlan<E>, end: FramesEnd): "over" | InterlockError {
  if (end.kind === "defect") throw new StreamInvalidError(end.reason, { ...position }, end.cause);
  if (position.phase === "over") return "over";
  if (position.phase === "resting" && end.kind === "ended") return "over";
  const cause = end.kind === "cut" ? end.cause : undefined;
  return new StreamTruncatedError(CUTS[end.kind], { ...position }, cause);
}

const CUTS: Readonly<Record<Exclude<FramesEnd["kind"], "defect">, string>> = {
  ended: "The stream ended before its last event.",
  idle: "The stream fell silent before its last event.",
  cut: "The stream broke off before its last event.",
};

function isEnd(read: readonly unknown[] | FramesEnd): read is FramesEnd {
  return "kind" in read;
}
