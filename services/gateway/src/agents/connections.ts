import { buildConnector, Client } from "undici";

/** Connections kept for reuse; more are closed as they come free, so that a burst leaves nothing behind. */
const MAX_IDLE = 64;

export type ConnectionTimeouts = { connectMs: number };

/**
 * The connections to one agent: one request at a time on each, the last used first. The library's own pool
 * looks through all its connections for a free one, which costs more than the request itself once thousands
 * of streams are open, and keeps every connection that a burst ever made.
 */
export class Connections {
  /** One for all: each connection would make its own of a text. */
  readonly #origin: URL;
  readonly #options: Client.Options;
  readonly #idle: Client[] = [];
  readonly #all = new Set<Client>();
  #closed = false;

  constructor(origin: string, { connectMs }: ConnectionTimeouts) {
    this.#origin = new URL(origin);
    this.#options = {
      pipelining: 1,
      // One stream, one socket: an abort destroys the socket at once, which is what the agent watches for.
      connect: buildConnector({ timeout: connectMs, allowH2: false }),
    };
  }

  /** How many connections are in use or kept. */
  get size(): number {
    return this.#all.size;
  }

  take(): Client | undefined {
    if (this.#closed) return undefined;
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    const client = new Client(this.#origin, this.#options);
    this.#all.add(client);
    return client;
  }

  /** `clean`: the answer was read to its end. Otherwise the socket is destroyed now, whatever is still under way. */
  give(client: Client, clean: boolean): void {
    if (clean && !this.#closed && this.#idle.length < MAX_IDLE) {
      this.#idle.push(client);
      return;
    }
    this.#all.delete(client);
    void (clean ? client.close() : client.destroy());
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#idle.length = 0;
    const all = [...this.#all];
    this.#all.clear();
    await Promise.all(all.map((client) => client.destroy()));
  }
}
