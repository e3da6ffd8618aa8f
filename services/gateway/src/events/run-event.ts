import type { LogEvent } from "@interlock/contracts";

/** One entry of a run's append-only log, as the contract defines it. `seq` is dense from 1. */
export type RunEvent = LogEvent;

type WithoutEnvelope<T> = T extends unknown ? Omit<T, "run_id" | "seq" | "at"> : never;
type DeepReadonly<T> = unknown extends T ? T : { readonly [K in keyof T]: DeepReadonly<T[K]> };

/** An event before the log gives it its envelope: run, seq and time. */
export type RunEventBody = DeepReadonly<WithoutEnvelope<RunEvent>>;

/** The event that ends a run. Its `message` is what the analyst reads. */
export type RunEnd = Extract<RunEventBody, { type: "run_finished" | "run_failed" | "run_cancelled" }>;

/** An event as it lies in the log: encoded once, for the store and for the wire. */
export type StoredEvent = {
  seq: number;
  type: RunEvent["type"];
  /** The event as JSON. */
  json: string;
};

/** The types of which a run has exactly one, last. */
export const END_TYPES: ReadonlySet<string> = new Set(["run_finished", "run_failed", "run_cancelled"]);

/** After one of these nothing follows until a person acts, so a stream ends with it. */
const REST_TYPES: ReadonlySet<string> = new Set([...END_TYPES, "run_paused", "run_parked"]);

/** Whether the run rests after this event: it has ended, or it waits for a person. */
export function isRest(event: { type: string }): boolean {
  return REST_TYPES.has(event.type);
}

/** The name under which clients see a task of an agent as a tool. */
export function toolName(taskType: string): string {
  return taskType.toLowerCase();
}
