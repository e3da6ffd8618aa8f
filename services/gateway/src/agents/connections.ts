import { type buildConnector, Client } from "undici";

/** Most idle connections to keep. Above that they are closed when released, so a burst leaves none behind. */
const MAX_IDLE = 64;

/**
 * A connection pool for one agent: one request at a time per connection, most recently used first. The library's own
 * pool scans all connections for a free one, which costs more than the request itself once thousands of streams are
 * open, and it keeps every connection that a burst has opened.
 */
export class Connections {
  /** Parsed once; given a string, every connection would parse it again. */
  readonly #origin: URL;
  #options: Client.Options;
  readonly #idle: Client[] = [];
  readonly #all = new Set<Client>();
  /** Those that are not to be used again. */
  #outdated = new WeakSet<Client>();
  #closed = false;

  constructor(origin: string, connect: buildConnector.connector) {
    this.#origin = new URL(origin);
    this.#options = { pipelining: 1, connect };
  }

  /** Number of connections, in use or idle. */
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

  /** `clean` means that the answer was read to its end. Otherwise the socket is destroyed at once. */
  give(client: Client, clean: boolean): void {
    if (clean && !this.#closed && !this.#outdated.has(client) && this.#idle.length < MAX_IDLE) {
      this.#idle.push(client);
      return;
    }
    this.#all.delete(client);
    void (clean ? client.close() : client.destroy());
  }

  /** Opens connections in another way from now on. Those there are serve the requests that they have, and no more. */
  useConnector(connect: buildConnector.connector): void {
    this.#options = { ...this.#options, connect };
    this.#outdated = new WeakSet(this.#all);
    for (const client of this.#idle.splice(0)) this.give(client, true);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#idle.length = 0;
    const all = [...this.#all];
    this.#all.clear();
    await Promise.all(all.map((client) => client.destroy()));
  }
}
