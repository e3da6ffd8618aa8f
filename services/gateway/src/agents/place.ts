import { type buildConnector, Client } from "undici";

/** Most idle connections to keep. Above that they are closed when released, so a burst leaves none behind. */
const MAX_IDLE = 64;

/** A connection to one place, for one request at a time. */
export type Connection = { readonly client: Client; readonly place: Place };

export type PlaceOptions = {
  /** Parsed once; given a string, every connection would parse it again. */
  origin: URL;
  connect: buildConnector.connector;
  /** Called when the other side has closed a connection unexpectedly. */
  onLost?: (place: Place) => void;
};

/**
 * The connections to one address of an agent, or to whatever its name resolves to: one request at a time each, most recently used first.
 * The library's own pool scans all connections for a free one, which costs more than the request itself once thousands of streams are
 * open, and it keeps every connection that a burst has opened.
 */
export class Place {
  /** Whether a connection to it could be opened since the last one that failed. */
  isUp = false;
  #pending = 0;
  readonly #options: PlaceOptions;
  readonly #idle: Client[] = [];
  readonly #all = new Set<Client>();
  #closed = false;

  constructor(options: PlaceOptions) {
    this.#options = options;
  }

  /** Requests under way. */
  get pending(): number {
    return this.#pending;
  }

  /** Number of connections, in use or idle. */
  get size(): number {
    return this.#all.size;
  }

  take(): Connection {
    this.#pending += 1;
    return { client: this.#idle.pop() ?? this.#open(), place: this };
  }

  /** `clean` means that the answer was read to its end. Otherwise the socket is destroyed at once. */
  give(client: Client, clean: boolean): void {
    this.#pending -= 1;
    if (clean && !this.#closed && this.#idle.length < MAX_IDLE) this.#idle.push(client);
    else this.#drop(client, clean);
  }

  /** Whether a connection can be opened now. No request is sent. */
  probe(): Promise<boolean> {
    const { origin, connect } = this.#options;
    const { host, hostname, protocol, port } = origin;
    return new Promise((resolve) => {
      connect({ host, hostname, protocol, port }, (error, socket) => {
        socket?.on("error", () => undefined).destroy();
        resolve(error === null);
      });
    });
  }

  /** Connections serve the requests that they have, and no more. */
  retire(): void {
    this.#closed = true;
    for (const client of this.#idle.splice(0)) this.#drop(client, true);
  }

  /** Requests under way fail. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#idle.length = 0;
    const all = [...this.#all];
    this.#all.clear();
    await Promise.all(all.map((client) => client.destroy()));
  }

  #open(): Client {
    const { origin, connect } = this.#options;
    const client = new Client(origin, { pipelining: 1, connect });
    this.#all.add(client);
    client.on("disconnect", this.#onDisconnect);
    return client;
  }

  #drop(client: Client, clean: boolean): void {
    this.#all.delete(client);
    void (clean ? client.close() : client.destroy());
  }

  /** Not called for expected closes: `Connection: close`, or the idle time that the agent announced is over. */
  readonly #onDisconnect = (_: URL, targets: readonly unknown[], error: Error): void => {
    const [client] = targets;
    if (!(client instanceof Client) || !this.#all.has(client)) return;
    if ("code" in error && error.code === "UND_ERR_INFO") return;
    this.#options.onLost?.(this);
  };
}
