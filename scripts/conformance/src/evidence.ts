import type { Bounds } from "./bounds.ts";
import type { Verdict } from "./verdict.ts";
import type { Asked, Reply } from "./wire/answer.ts";

/** What an agent is asked. A probe is one or more exchanges; checks judge the exchanges of their probes. */
export const PROBES = [
  "health",
  "ready",
  "card",
  "sync",
  "stream",
  "not an object",
  "no request_id",
  "no task_type",
  "blank id",
  "id not a string",
  "inputs not an object",
  "media type",
  "unknown task type",
  "odd inputs",
  "unknown fields",
  "traceparent",
  "repeat",
  "deadline",
  "hang up",
] as const;
export type ProbeName = (typeof PROBES)[number];

/** Probes with requests that every agent must refuse. */
export const MUST_REFUSE: readonly ProbeName[] = ["not an object", "no request_id", "no task_type"];

export type Exchange = {
  readonly probe: ProbeName;
  readonly asked: Asked;
  readonly reply: Reply;
};

/** The agent was busy, even when asked again. That proves nothing about the contract. */
export function isBusy(reply: Reply): boolean {
  return reply.kind === "answer" && (reply.status === 429 || reply.status === 503);
}

export type CardSeen = {
  /** Why the card is invalid, in terms of its schema. */
  readonly problem: string | undefined;
  readonly listsTask: boolean;
  /** The task types that a valid card has. */
  readonly taskTypes: readonly string[];
  readonly example: Inputs | undefined;
  readonly inputNames: readonly string[];
  readonly maxEventBytes: number | undefined;
};

export type Inputs = { readonly [name: string]: unknown };
export type InputsFrom = "sample" | "given" | "card";

/** Everything that was observed of one agent. Judging it needs no further request. */
export type Evidence = {
  readonly exchanges: readonly Exchange[];
  /** Verdicts for rules whose probe was left out. */
  readonly leftOut: ReadonlyMap<ProbeName, Verdict>;
  readonly card: CardSeen | undefined;
  readonly inputsFrom: InputsFrom;
  /** Whether a repeated key got the same answer. Undefined if the answers could not be compared. */
  readonly sameAnswer: boolean | undefined;
  readonly eventBytes: number;
  readonly bounds: Bounds;
};

export function exchangesOf(evidence: Evidence, ...probes: readonly ProbeName[]): readonly Exchange[] {
  return evidence.exchanges.filter(({ probe }) => probes.includes(probe));
}
