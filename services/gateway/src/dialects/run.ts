import type { StoredEvent } from "../events/index.ts";
import type { Dialect, Encoder } from "./dialect.ts";

const encoder: Encoder = {
  frame: (event: StoredEvent) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${event.json}\n\n`,
};

/** The event itself, as it lies in the log. */
export const runDialect: Dialect = { open: () => encoder };
