import type { StoredEvent } from "../events/index.ts";

/** How a run's events are encoded for one kind of client. */
export type Dialect = {
  /** The event as one SSE frame, blank line included. @param last whether the stream ends with it */
  frame(event: StoredEvent, last: boolean): string;
};
