import { GatewayError } from "../errors.ts";
import { toolName } from "../events/index.ts";
import type { CallerLimits, Rate } from "../mesh/index.ts";
import { keysOf, type RedisClient } from "../store/index.ts";
import { RateCounter } from "./rate-counter.ts";
import type { Applied, RateCounters } from "./rate-counters.ts";

export type AgentRatesDeps = {
  redis: RedisClient;
  counters: RateCounters;
  limits: Pick<CallerLimits, "agents" | "tools">;
};

/** Milliseconds to wait if the counters cannot be reached. */
const STORE_AWAY_MS = 1_000;

/** Counts what is sent to agents on behalf of a tenant: by agent, and by tool. */
export class AgentRates {
  readonly #counters: RateCounters;
  readonly #agents: ReadonlyMap<string, RateCounter>;
  readonly #tools: ReadonlyMap<string, RateCounter>;

  constructor({ redis, counters, limits }: AgentRatesDeps) {
    const countersOf = (rates: ReadonlyMap<string, Rate>) =>
      new Map(Array.from(rates, ([name, rate]) => [name, new RateCounter(redis, rate)]));
    this.#counters = counters;
    this.#agents = countersOf(limits.agents);
    this.#tools = countersOf(limits.tools);
  }

  /**
   * Counts a dispatch.
   * @returns milliseconds after which it may come again; undefined where it may go; without a promise where nothing limits it
   */
  take(tenant: string, agent: string, task: string): Promise<number | undefined> | number | undefined {
    return this.#admit(this.#appliedTo(tenant, toolName(task), agent));
  }

  /** The same for a call of a tool of an MCP server. */
  takeTool(tenant: string, tool: string): Promise<number | undefined> | number | undefined {
    return this.#admit(this.#appliedTo(tenant, tool));
  }

  #admit(applied: readonly Applied[]): Promise<number | undefined> | number | undefined {
    if (applied.length === 0) return undefined;
    const blockedMs = Math.max(...applied.map(({ counter, key }) => counter.blockedMs(key)));
    return blockedMs > 0 ? blockedMs : this.#count(applied);
  }

  async #count(applied: readonly Applied[]): Promise<number | undefined> {
    try {
      const refused = (await this.#counters.take(applied)).filter(({ allowed }) => !allowed);
      return refused.length === 0 ? undefined : Math.max(...refused.map(({ resetMs }) => resetMs));
    } catch (error) {
      if (error instanceof GatewayError) return STORE_AWAY_MS;
      throw error;
    }
  }

  #appliedTo(tenant: string, tool: string, agent?: string): Applied[] {
    const ofAgent = agent === undefined ? undefined : this.#agents.get(agent);
    const ofTool = this.#tools.get(tool);
    const applied: Applied[] = [];
    if (ofAgent && agent !== undefined)
      applied.push({ name: "agent", counter: ofAgent, key: keysOf(tenant).rate("agent", agent) });
    if (ofTool) applied.push({ name: "tool", counter: ofTool, key: keysOf(tenant).rate("tool", tool) });
    return applied;
  }
}
