import type { StoredEvent } from "../events/index.ts";

/** How a run's events are encoded for one kind of client. */
export type Dialect = {
  /** Begins a stream. A dialect may keep state from one event of a stream to the next; a stream that is resumed begins without it. */
  open(stream: StreamOf): Encoder;
};

/** What a stream is about. */
export type StreamOf = {
  runId: string;
  /** The caller's own name for the conversation. */
  conversationId?: string | undefined;
};

/** Encodes the events of one stream, in order. */
export type Encoder = {
  /** The event as SSE frames, blank lines included. The last frame, and no other, has the event's id. @param last whether the stream ends with it */
  frame(event: StoredEvent, last: boolean): string;
};
