import type { StoredEvent } from "../runs/events.ts";
import { chatDialect } from "./chat.ts";
import { runDialect } from "./run.ts";

/** How a run's events are encoded for one kind of client. */
export type Dialect = {
  /** The event as one SSE frame, blank line included. @param last whether the stream ends with it */
  frame(event: StoredEvent, last: boolean): string;
};

export const DIALECTS = { chat: chatDialect, run: runDialect } as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof DIALECTS;

export function isDialect(name: string): name is DialectName {
  return Object.hasOwn(DIALECTS, name);
}
