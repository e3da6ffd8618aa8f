import { Breaker, type BreakerOptions } from "../breaker.ts";
import type { Egress } from "../egress/index.ts";
import { Admission } from "./admission.ts";
import { AwakeClock } from "./awake-clock.ts";
import { Connections } from "./connections.ts";
import type { AgentObserver, AgentSpec } from "./types.ts";

export type UpstreamsOptions = {
  observer?: AgentObserver;
  connectMs?: number;
  breaker?: Pick<BreakerOptions, "failures" | "restMs">;
  /** How many requests may wait for an agent, and for how long an interactive caller does. */
  queue?: { most: number; waitMs: number };
  /** Interval between two resolutions of a name. */
  resolveMs?: number;
};

/** One agent at one address: its connections, and what was learnt of its health and of how many requests it takes. */
export type Upstream = {
  readonly name: string;
  readonly base: string;
  readonly connections: Connections;
  readonly breaker: Breaker;
  readonly admission: Admission;
};

/** A replica that was started is found within this time. */
const RESOLVE_MS = 5_000;

type Shared = Upstream & { egress: Egress; users: number };

/** The upstreams of this process: clients of several editions of a mesh share those of the agents that the editions have in common. */
export class Upstreams {
  /** The clock of all measurements here; it excludes stalls of this process. */
  readonly clock = new AwakeClock();
  readonly #options: UpstreamsOptions;
  readonly #connectMs: number;
  readonly #open = new Map<string, Shared>();
  readonly #toLook = new Set<Connections>();
  readonly #looking: NodeJS.Timeout;
  #isLooking = false;

  constructor(options: UpstreamsOptions) {
    this.#options = options;
    this.#connectMs = options.connectMs ?? 3_000;
    this.#looking = setInterval(() => {
      for (const { connections } of this.#open.values()) void this.#look(connections);
    }, options.resolveMs ?? RESOLVE_MS).unref();
  }

  /**
   * The upstream of an agent, open until it was given back as often as it was taken.
   * @param decides whether one that is open connects by the rules of `egress` from now on; no request is cut
   */
  take(spec: AgentSpec, egress: Egress, decides: boolean): Upstream {
    const key = keyOf(spec);
    const upstream = this.#open.get(key) ?? this.#opened(spec, egress);
    this.#open.set(key, upstream);
    upstream.users += 1;
    if (decides && !upstream.egress.rules.isSameAs(egress.rules)) {
      upstream.egress = egress;
      upstream.connections.useEgress(egress);
    }
    return upstream;
  }

  /** Closes upstreams without users; requests still under way there fail. */
  async give(spec: AgentSpec): Promise<void> {
    const key = keyOf(spec);
    const upstream = this.#open.get(key);
    if (!upstream) return;
    upstream.users -= 1;
    if (upstream.users > 0) return;
    this.#open.delete(key);
    const isGone = [...this.#open.values()].every(({ name }) => name !== spec.name);
    if (isGone) this.#options.observer?.onBreaker?.(spec.name, "closed");
    await upstream.connections.close();
  }

  close(): void {
    this.clock.stop();
    clearInterval(this.#looking);
    this.#toLook.clear();
  }

  /** One after the other: a resolver that hangs holds a thread of the process for each name that it is asked. */
  readonly #look = async (connections: Connections): Promise<void> => {
    this.#toLook.add(connections);
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (const next of this.#toLook) {
      this.#toLook.delete(next);
      await next.look();
    }
    this.#isLooking = false;
  };

  #opened({ name, url, limits }: AgentSpec, egress: Egress): Shared {
    const { observer, queue, breaker = { failures: 5, restMs: 5_000 } } = this.#options;
    const { origin, pathname } = new URL(url);
    return {
      name,
      base: pathname.replace(/\/+$/, ""),
      connections: this.#connectionsTo(origin, egress),
      admission: new Admission({
        clock: this.clock,
        max: limits.maxConcurrency,
        mostQueued: queue?.most,
        longestWaitMs: queue?.waitMs,
      }),
      breaker: new Breaker({
        ...breaker,
        recovery: "health_check",
        onState: (state) => observer?.onBreaker?.(name, state),
      }),
      egress,
      users: 0,
    };
  }

  #connectionsTo(origin: string, egress: Egress): Connections {
    const connections = new Connections({
      origin,
      egress,
      connectMs: this.#connectMs,
      askForLook: this.#look,
    });
    void this.#look(connections);
    return connections;
  }
}

/** The identity of an upstream: agents that agree in this share one. */
function keyOf({ name, url, limits }: AgentSpec): string {
  return JSON.stringify([name, url, limits.maxConcurrency]);
}
