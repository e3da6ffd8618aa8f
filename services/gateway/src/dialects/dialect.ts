import type { StoredEvent } from "../events/index.ts";

/** How a run's events are encoded for one kind of client. */
export type Dialect = {
  /**
   * Whether its frames depend on the events before. A stream that is resumed then gets all of the log to encode, and sends what the reader
   * lacks; otherwise it begins with the first event that the reader lacks.
   */
  readonly remembers?: true;
  /** Whether its clients can do nothing with a run's record in place of events that are no longer held: the run's end says it all. */
  readonly untold?: true;
  /** Begins a stream. A dialect may keep state from one event of a stream to the next. */
  open(stream: StreamOf): Encoder;
};

/** What a stream is about. */
export type StreamOf = {
  runId: string;
  /** The caller's own name for the conversation. */
  conversationId?: string | undefined;
  /** The label that users see while an agent works. */
  labelOf?: ((agent: string) => string) | undefined;
};

/** Encodes the events of one stream, in order. */
export type Encoder = {
  /** The event as SSE frames, blank lines included; empty where the dialect says nothing of it. The last frame, and no other, has the event's id. @param last whether the stream ends with it */
  frame(event: StoredEvent, last: boolean): string;
  /** The last frames of a stream that is cut off before the run rests, for clients that would take its end for the answer's. */
  cut?(): string;
};
