import type { ErrorCode } from "../errors.ts";

/** What a step shows of its plan on the wire. */
export type PlannedStep = {
  id: string;
  agent?: string;
  task_type?: string;
  needs: readonly string[];
};

/** What ends a run. `message` is what the analyst reads. */
export type RunEnd =
  | {
      type: "run_finished";
      data: {
        status: "ok" | "rejected";
        message: string;
        tools_used: readonly string[];
        model: string;
        warnings: readonly string[];
      };
    }
  | {
      type: "run_failed";
      data: {
        status: "error";
        code: ErrorCode;
        error: string;
        retryable: boolean;
        message: string;
        node?: string;
        /** The agent's own code, where the agent failed honestly. */
        agent_code?: string;
        reason?: string;
        tools_used: readonly string[];
        model: string;
      };
    }
  | {
      type: "run_cancelled";
      data: { status: "cancelled"; message: string; tools_used: readonly string[]; model: string };
    };

/** Everything that can stand in a run's log, apart from its envelope. */
export type RunEventBody =
  | { type: "run_started"; data: { session_id: string; intent: string; flow?: string; model: string } }
  | { type: "plan"; data: { flow: string; goals: readonly string[]; steps: readonly PlannedStep[] } }
  | {
      type: "step_started";
      node: string;
      data: { agent: string; task_type: string; attempt: number };
    }
  | { type: "progress"; node: string; data: Readonly<Record<string, unknown>> }
  | { type: "token"; node: string; data: { text: string } }
  | {
      type: "step_finished";
      node: string;
      data: {
        agent: string;
        task_type: string;
        status: "ok";
        duration_ms: number;
        warnings: readonly string[];
        /** What the flow's `show` expression picks from the outputs. */
        outputs?: unknown;
      };
    }
  | {
      type: "step_failed";
      node: string;
      data: {
        agent: string;
        task_type: string;
        status: "error";
        code: ErrorCode;
        error: string;
        optional: boolean;
        agent_code?: string;
        reason?: string;
      };
    }
  | {
      /** The run waits for a person. It lives on; a stream that follows it ends here. */
      type: "run_paused";
      node: string;
      data: {
        status: "paused";
        message: string;
        approval: { id: string; roles: readonly string[]; proposal_hash: string; expires_in_s: number };
        model: string;
      };
    }
  | {
      type: "approval_decided";
      node: string;
      data: { approval_id: string; decision: "approved" | "rejected" | "expired"; by: string };
    }
  | {
      type: "approval_edited";
      node: string;
      data: { approval_id: string; by: string; proposal_hash: string };
    }
  | { type: "approval_expiring"; node: string; data: { approval_id: string } }
  | { type: "approval_escalated"; node: string; data: { approval_id: string; roles: readonly string[] } }
  | {
      /** Tried too often, or with an outcome that only a person can find out: nobody carries it on by itself. */
      type: "run_parked";
      data: { status: "needs_review"; message: string; code: string };
    }
  | { type: "step_repair"; node: string; data: { round: number; max_rounds: number } }
  | RunEnd;

/** One entry of a run's append-only log. `seq` is dense from 1. */
export type RunEvent = RunEventBody & { run_id: string; seq: number; at: string };

/** An event as it lies in the log: encoded once, for the store and for the wire. */
export type StoredEvent = {
  seq: number;
  type: RunEvent["type"];
  /** The event as JSON. */
  json: string;
};

/** The types of which a run has exactly one, last. */
export const END_TYPES: ReadonlySet<string> = new Set(["run_finished", "run_failed", "run_cancelled"]);

/** After these nothing comes until somebody acts; a stream does not stay open for it. */
const REST_TYPES: ReadonlySet<string> = new Set([...END_TYPES, "run_paused", "run_parked"]);

/** Whether a stream ends with this event, where it is the last one so far. */
export function isRest(event: { type: string }): boolean {
  return REST_TYPES.has(event.type);
}

/** An event's JSON before and after its seq, for scripts that know the seq only when they run. */
export function eventAround(runId: string, body: RunEventBody, at: string): [before: string, after: string] {
  const node = "node" in body ? `"node":${JSON.stringify(body.node)},` : "";
  return [
    `{"run_id":"${runId}","seq":`,
    `,"type":"${body.type}",${node}"at":"${at}","data":${JSON.stringify(body.data)}}`,
  ];
}

export function encodeEvent(runId: string, seq: number, at: string, body: RunEventBody): StoredEvent {
  const [before, after] = eventAround(runId, body, at);
  return { seq, type: body.type, json: before + seq + after };
}

/** Like {@link encodeEvent}, for data that is JSON text on one line already. */
export function relayEvent(
  runId: string,
  seq: number,
  at: string,
  type: "progress",
  node: string,
  data: string,
): StoredEvent {
  const json = `{"run_id":"${runId}","seq":${seq},"type":"${type}","node":${JSON.stringify(node)},"at":"${at}","data":${data}}`;
  return { seq, type, json };
}

/** The inverse of {@link encodeEvent}, for events read back from the store. */
export function decodeEvent(json: string): RunEvent {
  return JSON.parse(json) as RunEvent;
}

/** Parts of an event's JSON, as JSON text. */
type EventParts = { node: string; data: string };

/**
 * Cuts an event of a node where {@link encodeEvent} has put it together: for events that come in their thousands and are passed on as
 * they are. Within a JSON string no quote comes straight after a comma, so what is found is the envelope's own.
 */
export function splitEvent(json: string): EventParts {
  const node = json.indexOf(NODE);
  const at = json.indexOf(AT, node);
  const data = json.indexOf(DATA, at);
  return { node: json.slice(node + NODE.length, at), data: json.slice(data + DATA.length, -1) };
}

const NODE = ',"node":';
const AT = ',"at":';
const DATA = ',"data":';

/**
 * Several events in one log entry: JSON holds no raw line feed, so a line is an event. One entry a write costs the store far less
 * than one an event.
 */
export function packEvents(events: readonly StoredEvent[]): string {
  return events.length === 1 && events[0] ? events[0].json : events.map((event) => event.json).join("\n");
}

/** @param lastSeq the entry's id: the seq of its last event */
export function unpackEvents(lastSeq: number, packed: string): StoredEvent[] {
  const lines = packed.split("\n");
  const first = lastSeq - lines.length + 1;
  return lines.map((json, index) => ({ seq: first + index, type: typeOf(json), json }));
}

const TYPE = /"type":"([a-z_]+)"/;

function typeOf(json: string): RunEvent["type"] {
  return (TYPE.exec(json)?.[1] ?? "progress") as RunEvent["type"];
}
