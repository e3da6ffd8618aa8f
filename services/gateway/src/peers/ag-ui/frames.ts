import type { GatewayError } from "../../errors.ts";

export const KEEPALIVE_MS = 15_000;

/** What every event is about; `runId` and `threadId` are the client's own. */
export type Head = { threadId: string; runId: string; origin: string };

export type Event = { type: string; [field: string]: unknown };
/** The reason of an interrupt. */
const REASON = "approval_required";

/** What answers an interrupt, for clients that make a form of it. */
const RESPONSE_SCHEMA = {
  type: "object",
  description: "A decision, by somebody who may decide. Without one the run is only followed.",
  properties: {
    decision: { enum: ["approve", "reject", "edit"] },
    proposal_hash: { type: "string", description: "Of the proposal that the decision is about." },
    note: { type: "string" },
    edits: {},
  },
  required: ["decision", "proposal_hash"],
};

/**
 * The whole stream of a resumed run of which nothing can be told: after an edit the approval waits with another hash, and whoever decides
 * may not be allowed to read the run.
 */
export function toldAtOnce(
  head: Head,
  approvalId: string,
  decided: { run_id: string; decision: string; proposal_hash: string } | undefined,
): string {
  const isOpen = decided?.decision === "edited";
  const interrupt =
    decided && isOpen
      ? interruptOf({ id: approvalId, hash: decided.proposal_hash, message: "The proposal was changed." })
      : undefined;
  const outcome = interrupt ? { type: "interrupt", interrupts: [interrupt] } : { type: "success" };
  const result = decided ? { decision: decided } : {};
  return framesOf([startedEvent(head, decided?.run_id), finishedEvent(head, { result, outcome })]);
}

/** What a run waits for. @param hash of the proposal; @param more beside it, in the metadata */
export function interruptOf({
  id,
  hash,
  message,
  expiresAt,
  more = {},
}: {
  id: string;
  hash: string;
  message: string;
  expiresAt?: string;
  more?: object;
}): object {
  const metadata = { "interlock/proposal_hash": hash, ...prefixed(more) };
  return {
    ...{ id, reason: REASON, message, responseSchema: RESPONSE_SCHEMA, metadata },
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

const prefixed = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`interlock/${name}`, value]));

export function startedEvent({ threadId, runId }: Head, run: string | undefined): Event {
  return {
    ...{ type: "RUN_STARTED", threadId, runId, protocolVersion: "1.0" },
    ...(run === undefined ? {} : { metadata: { "interlock/run_id": run } }),
  };
}

export const finishedEvent = ({ threadId, runId }: Head, fields: object): Event => ({
  type: "RUN_FINISHED",
  threadId,
  runId,
  ...fields,
});

export const failure = ({ code, message }: GatewayError): Event => ({ type: "RUN_ERROR", code, message });

/** Events as server-sent ones. */
export const framesOf = (events: readonly Event[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
