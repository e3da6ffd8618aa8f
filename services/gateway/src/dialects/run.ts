import type { StoredEvent } from "../events/index.ts";
import type { Dialect } from "./dialect.ts";

/** The event itself, as it lies in the log. */
export const runDialect: Dialect = {
  frame: (event: StoredEvent) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${event.json}\n\n`,
};
