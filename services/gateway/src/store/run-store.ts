import type { Redis } from "ioredis";
import { GatewayError } from "../errors.ts";
import { encodeEvent, packEvents, type RunEventBody, type StoredEvent } from "../runs/events.ts";
import type { RunOrder, RunState, TurnEntry } from "../runs/record.ts";
import type { Keys } from "./keys.ts";
import { guarded } from "./redis.ts";
import { Script } from "./script.ts";

export type RunRecord = {
  id: string;
  sessionId: string;
  subject: string;
  kind: "ask" | "plan" | "general";
  state: RunState;
  seq: number;
  fence: number;
  createdAt: number;
  finishedAt?: number;
  order: RunOrder;
  /** The event that ended the run, as JSON; it outlives the log. */
  terminal?: string;
};

export type Acceptance = {
  runId: string;
  sessionId: string;
  kind: RunRecord["kind"];
  order: RunOrder;
  events: readonly RunEventBody[];
};

/** Milliseconds that a holder keeps a run without renewing. */
export const LEASE_MS = 10_000;

/** The run records: everything that is not the log of events. */
export class RunStore {
  readonly #redis: Redis;
  readonly #sessionTtlS: number;
  readonly #accept = new Script("accept");
  readonly #renew = new Script("renew");

  constructor(redis: Redis, sessionTtlS: number) {
    this.#redis = redis;
    this.#sessionTtlS = sessionTtlS;
  }

  /**
   * Creates a run, claims it for this replica, writes its first events and the user's turn, all at once.
   * @returns the fence, and the events as they stand in the log
   * @throws GatewayError session_busy, store_unavailable
   */
  async accept(keys: Keys, acceptance: Acceptance): Promise<{ fence: number; events: StoredEvent[] }> {
    const { runId, sessionId, kind, order } = acceptance;
    const at = new Date().toISOString();
    const events = acceptance.events.map((body, index) => encodeEvent(runId, index + 1, at, body));
    const turn: TurnEntry = { role: "user", run_id: runId, text: order.message, at };
    const answer = await guarded(() =>
      this.#accept.run(
        this.#redis,
        [
          keys.run(runId),
          keys.events(runId),
          keys.session(sessionId),
          keys.turns(sessionId),
          keys.sessions,
          keys.runs,
          keys.leases,
        ],
        [
          runId,
          sessionId,
          order.subject,
          kind,
          JSON.stringify(order),
          LEASE_MS,
          events.length,
          packEvents(events),
          JSON.stringify(turn),
          this.#sessionTtlS,
          order.message.slice(0, 80),
        ],
      ),
    );
    const [word, value] = Array.isArray(answer) ? answer : [];
    if (word === "OK") return { fence: Number(value), events };
    if (word === "BUSY")
      throw new GatewayError("session_busy", undefined, { extra: { run_id: String(value) } });
    throw new GatewayError("internal");
  }

  /** Renews the leases of the tenant's runs that this replica holds. @returns the ids of those that it does not hold any more */
  async renew(keys: Keys, runs: readonly { id: string; fence: number }[]): Promise<string[]> {
    const answer = await this.#renew.run(
      this.#redis,
      [keys.leases, ...runs.map((run) => keys.run(run.id))],
      [LEASE_MS, ...runs.flatMap((run) => [run.id, run.fence])],
    );
    return Array.isArray(answer) ? answer.map(String) : [];
  }

  async find(keys: Keys, runId: string): Promise<RunRecord | undefined> {
    const fields = await guarded(() => this.#redis.hgetall(keys.run(runId)));
    return toRecord(fields);
  }

  async journal(keys: Keys, runId: string): Promise<Record<string, string>> {
    return await guarded(() => this.#redis.hgetall(keys.steps(runId)));
  }
}

export function toRecord(fields: Record<string, string>): RunRecord | undefined {
  if (fields.id === undefined || fields.request === undefined) return undefined;
  const record: RunRecord = {
    id: fields.id,
    sessionId: fields.session ?? "",
    subject: fields.subject ?? "",
    kind: fields.kind as RunRecord["kind"],
    state: fields.state as RunState,
    seq: Number(fields.seq),
    fence: Number(fields.fence),
    createdAt: Number(fields.created),
    order: JSON.parse(fields.request) as RunOrder,
  };
  if (fields.finished !== undefined) record.finishedAt = Number(fields.finished);
  if (fields.terminal !== undefined) record.terminal = fields.terminal;
  return record;
}
