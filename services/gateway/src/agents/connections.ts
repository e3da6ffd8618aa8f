import type { LookupAddress } from "node:dns";
import type { Egress } from "../egress/index.ts";
import { type Connection, Place } from "./place.ts";

export type ConnectionsOptions = {
  origin: string;
  egress: Egress;
  connectMs: number;
  /** Schedules `look` for when this agent's name is next to be resolved. */
  askForLook: (connections: Connections) => void;
};

/**
 * The connections to one agent. Where its name has several addresses, each is a **place**, and a request goes to the place with the fewest
 * requests under way, in turns among equals. A place that cannot be reached, or that loses a connection, gets none until a connection to it
 * can be opened again. Where there is one address, or none that can be reached, every connection resolves the name for itself.
 */
export class Connections {
  readonly #origin: URL;
  readonly #options: ConnectionsOptions;
  #egress: Egress;
  /** Connects to what the name resolves to at that moment. */
  #anywhere: Place;
  /** By address. Empty where there is nothing to choose. */
  #places = new Map<string, Place>();
  /** Those of them that are up, the one that was chosen last at the end: all that a request looks at. */
  #up: Place[] = [];
  /** Places to which a test connection is being opened. */
  readonly #tried = new Set<Place>();
  /** Places of earlier addresses or rules that still have requests under way. */
  readonly #retired = new Set<Place>();
  #closed = false;

  constructor(options: ConnectionsOptions) {
    this.#origin = new URL(options.origin);
    this.#options = options;
    this.#egress = options.egress;
    this.#anywhere = this.#open();
  }

  /** Number of connections, in use or idle. */
  get size(): number {
    let size = 0;
    for (const place of this.#all()) size += place.size;
    return size;
  }

  take(): Connection | undefined {
    if (this.#closed) return undefined;
    return this.#leastPending().take();
  }

  give({ client, place }: Connection, clean: boolean): void {
    place.give(client, clean);
    if (place.size === 0) this.#retired.delete(place);
  }

  /**
   * The connection could not be opened, so its agent has seen nothing of the request.
   * @returns another connection to send it over, or undefined, and then it has to be given back
   */
  another(connection: Connection): Connection | undefined {
    if (this.#closed || connection.place === this.#anywhere) return undefined;
    this.#lose(connection.place);
    this.give(connection, false);
    return this.take();
  }

  /** Resolves the name, and starts test connections to places that are down. Never rejects. */
  async look(): Promise<void> {
    const egress = this.#egress;
    const found = await egress.addressesOf(this.#origin).catch(keepWhereUnknown);
    if (this.#closed || egress !== this.#egress) return;
    if (found !== undefined) this.#know(found);
    for (const place of this.#places.values()) void this.#try(place);
  }

  /** Opens connections by other rules from now on. Those there are serve the requests that they have, and no more. */
  useEgress(egress: Egress): void {
    this.#egress = egress;
    this.#know([]);
    this.#retire(this.#anywhere);
    this.#anywhere = this.#open();
    this.#options.askForLook(this);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(Array.from(this.#all(), (place) => place.close()));
  }

  #leastPending(): Place {
    const up = this.#up;
    let best = 0;
    for (let at = 1; at < up.length; at += 1) if (pendingAt(up, at) < pendingAt(up, best)) best = at;
    const [chosen] = up.splice(best, 1);
    if (!chosen) return this.#anywhere;
    up.push(chosen);
    return chosen;
  }

  #know(found: readonly LookupAddress[]): void {
    const addresses = new Map(found.map((one) => [one.address, one]));
    const several = addresses.size > 1;
    for (const [address, place] of this.#places) {
      if (several && addresses.has(address)) continue;
      this.#places.delete(address);
      this.#retire(place);
    }
    if (several) {
      for (const [address, one] of addresses)
        if (!this.#places.has(address)) this.#places.set(address, this.#open(one));
    }
    this.#sort();
  }

  async #try(place: Place): Promise<void> {
    if (place.isUp || this.#tried.has(place)) return;
    this.#tried.add(place);
    place.isUp = await place.probe();
    this.#tried.delete(place);
    this.#sort();
  }

  #lose(place: Place): void {
    if (!place.isUp) return;
    place.isUp = false;
    this.#sort();
    void this.#try(place);
    this.#options.askForLook(this);
  }

  #sort(): void {
    const found = [...this.#places.values()].filter(({ isUp }) => isUp);
    // A place that is back goes to the front: it has waited longest. The order of the others stays.
    const back = found.filter((place) => !this.#up.includes(place));
    this.#up = [...back, ...this.#up.filter((place) => found.includes(place))];
  }

  #retire(place: Place): void {
    place.isUp = false;
    place.retire();
    if (place.size > 0) this.#retired.add(place);
  }

  #open(address?: LookupAddress): Place {
    const { connectMs } = this.#options;
    const connect = this.#egress.connector(connectMs, address);
    return new Place({ origin: this.#origin, connect, onLost: (place) => this.#lose(place) });
  }

  *#all(): Generator<Place> {
    yield this.#anywhere;
    yield* this.#places.values();
    yield* this.#retired;
  }
}

function pendingAt(places: readonly Place[], at: number): number {
  return places[at]?.pending ?? 0;
}

/** A resolver that does not answer proves nothing about the addresses: keep them, and let connections fail if they are wrong. */
function keepWhereUnknown(error: unknown): LookupAddress[] | undefined {
  const code = Error.isError(error) && "code" in error ? error.code : undefined;
  return code === "ENOTFOUND" || code === "EGRESS_REFUSED" ? [] : undefined;
}
