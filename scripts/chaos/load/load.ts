import { setTimeout as sleep } from "node:timers/promises";
import type { Api } from "../api.ts";
import type { Caller, Ledger } from "../ledger.ts";
import type { Random } from "../random.ts";
import { APPROVALS } from "./approvals.ts";
import { ASKS } from "./asks.ts";
import { BACKGROUND } from "./background.ts";
import type { Play, Scenario } from "./scenario.ts";

const SCENARIOS: readonly Scenario[] = [...ASKS, ...BACKGROUND, ...APPROVALS];
export const TENANTS = ["north", "south"] as const;

export function approverOf(tenant: string): Caller {
  return { user: "approver", tenant, roles: ["approver"] };
}

let made = 0;

/** Returns a unique name. */
export function fresh(prefix: string): string {
  return `${prefix}-${process.pid}-${++made}`;
}

/** Users who play one scenario after another, until they are told to stop. */
export class Load {
  readonly #stopping = new AbortController();
  readonly #users: Promise<void>[];

  constructor(api: Api, ledger: Ledger, random: Random, users: number) {
    this.#users = Array.from({ length: users }, (_, at) => {
      const tenant = TENANTS[at % TENANTS.length] ?? "north";
      const caller: Caller = { user: `user-${at}`, tenant, roles: [] };
      const own = random.fork();
      return this.#live({ api, ledger, random: own, caller, approver: approverOf(tenant), fresh });
    });
  }

  /** Resolves when every user has finished the scenario under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#users);
  }

  async #live(play: Play): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const scenario = play.random.weighted(SCENARIOS);
      await attempt(scenario, play);
      await sleep(play.random.int(20, 200), undefined, { signal }).catch(() => undefined);
    }
  }
}

/** A scenario that takes longer than this hangs. */
const HANGING_MS = 90_000;

/** Plays a scenario and records the outcome. Whatever fails, a user must get some answer: one that hangs is a violation. */
export async function attempt(scenario: Pick<Scenario, "name" | "play">, play: Play): Promise<void> {
  const from = Date.now();
  const over = new AbortController();
  const hanging = sleep(HANGING_MS, "hangs", { signal: over.signal }).catch(() => undefined);
  const played = scenario.play(play).catch((error: unknown) => describe(error));
  const trouble = await Promise.race([played, hanging]);
  over.abort();
  if (trouble === "hangs")
    play.ledger.violate("user left waiting", scenario.name, new Date(from).toISOString());
  const told = { scenario: scenario.name, from, to: Date.now() };
  play.ledger.attempts.push(trouble === undefined ? told : { ...told, trouble });
}

function describe(error: unknown): string {
  if (!Error.isError(error)) return "unknown";
  const code = "code" in error ? String(error.code) : error.name;
  return `${code} ${error.message}`;
}
