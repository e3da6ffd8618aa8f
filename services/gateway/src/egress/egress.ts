import { type LookupAddress, lookup as resolve } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { plainHost } from "./address.ts";
import { type EgressRefusal, type EgressRules, isSameHost } from "./rules.ts";
import { Tunnel } from "./tunnel.ts";

/** Finds all addresses of a name. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

export type EgressDeps = {
  rules: EgressRules;
  /** URL of the HTTP proxy for every place that the rules do not list. */
  proxy?: string | undefined;
  resolve?: Resolve;
  /** Called once for each place that was refused. */
  onRefused?: (refused: { host: string; reason: EgressRefusal; write?: string }) => void;
};

/** Thrown for a connection that the rules do not allow. */
export class EgressError extends Error {
  readonly code = "EGRESS_REFUSED";
  readonly reason: EgressRefusal;

  constructor(reason: EgressRefusal) {
    super(`the connection is not allowed: ${reason}`);
    this.name = "EgressError";
    this.reason = reason;
  }
}

/**
 * Opens all connections of the gateway to places that the manifest names. A name is resolved once for each connection, every address of the
 * answer is judged, and the socket connects to those very addresses: an answer that changes between check and use (DNS rebinding) has
 * nothing to change. The environment's HTTP_PROXY is not read.
 */
export class Egress {
  readonly rules: EgressRules;
  readonly #resolve: Resolve;
  readonly #tunnel: Tunnel | undefined;
  readonly #onRefused: EgressDeps["onRefused"];
  readonly #told = new Set<string>();

  constructor({ rules, proxy, resolve = resolveAll, onRefused }: EgressDeps) {
    this.rules = rules;
    this.#resolve = resolve;
    this.#onRefused = onRefused;
    if (proxy !== undefined) this.#tunnel = new Tunnel(proxy);
  }

  /**
   * For the `connect` option of the HTTP client. HTTP/1.1 only: an abort then closes the socket, which is how an upstream notices it.
   * @param address of those that the name has, to connect to no other; it is judged again
   */
  connector(timeoutMs: number, address?: LookupAddress): buildConnector.connector {
    const resolve = address === undefined ? this.#resolve : () => Promise.resolve([address]);
    const byPort = new Map<number, buildConnector.connector>();
    const upgrade = buildConnector({ timeout: timeoutMs, allowH2: false });
    const direct = (port: number): buildConnector.connector => {
      const known = byPort.get(port);
      if (known) return known;
      // The library connects to what `lookup` returns.
      const connect = buildConnector({
        timeout: timeoutMs,
        allowH2: false,
        lookup: this.#lookupFor(port, resolve),
      });
      byPort.set(port, connect);
      return connect;
    };
    return (options, callback) => {
      const host = plainHost(options.hostname);
      const port = portOf(options);
      this.#judgeHost(host, port).then(
        () => {
          if (this.#tunnel && !this.rules.lists(host))
            this.#tunnel.connect({ host, port, timeoutMs, options, upgrade }, callback);
          else direct(port)(options, callback);
        },
        (error: Error) => callback(error, null),
      );
    };
  }

  /**
   * The addresses that a URL's name has now, if connections choose among them: none of an address, or of a name that only the proxy resolves.
   * @throws EgressError, or the resolver's error
   */
  async addressesOf(url: URL): Promise<readonly LookupAddress[]> {
    const host = plainHost(url.hostname);
    if (isIP(host) !== 0 || (this.#tunnel && !this.rules.lists(host))) return [];
    const port = portOf(url);
    await this.#judgeHost(host, port);
    return await this.#judge(host, port, await this.#resolve(host));
  }

  /** Judges what can be known before a name is resolved; an address is judged whole, since `lookup` is not called for it. */
  async #judgeHost(host: string, port: number): Promise<void> {
    const refused = this.rules.judgeHost(host, port);
    if (refused !== undefined) throw this.#refuse(host, refused);
    if (isIP(host) !== 0) await this.#judge(host, port, [{ address: host, family: isIP(host) }]);
  }

  #lookupFor(port: number, resolve: Resolve): LookupFunction {
    return (name, options, callback) => {
      const host = plainHost(name);
      resolve(name)
        .then((found) => this.#judge(host, port, found))
        .then(
          (found) => {
            if (options.all === true) callback(null, [...found]);
            else callback(null, found[0]?.address ?? "", found[0]?.family);
          },
          (error: Error) => callback(error, ""),
        );
    };
  }

  /** One refused address refuses the name: which of them the socket would reach is chance. @throws EgressError */
  async #judge(
    host: string,
    port: number,
    found: readonly LookupAddress[],
  ): Promise<readonly LookupAddress[]> {
    for (const { address } of found) {
      const refused = this.rules.judgeAddress(host, address);
      if (refused !== undefined) throw this.#refuse(host, refused);
    }
    for (const own of this.rules.reserved) {
      if (own.port !== port) continue;
      const theirs = isIP(own.host) === 0 ? await this.#resolve(own.host) : [{ address: own.host }];
      if (theirs.some((one) => found.some(({ address }) => isSameHost(one.address, address))))
        throw this.#refuse(host, "reserved");
    }
    return found;
  }

  #refuse(host: string, reason: EgressRefusal): EgressError {
    if (!this.#told.has(host)) {
      this.#told.add(host);
      const write = reason === "unlisted" ? { write: this.rules.sectionWith(host) } : {};
      this.#onRefused?.({ host, reason, ...write });
    }
    return new EgressError(reason);
  }
}

function portOf({ port, protocol }: { port: string; protocol: string }): number {
  return Number(port) || (protocol === "https:" ? 443 : 80);
}

function resolveAll(name: string): Promise<LookupAddress[]> {
  return new Promise((done, fail) => {
    resolve(name, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses)));
  });
}
