import type { RunEvent } from "../../events/index.ts";
import type { RunRecord } from "../../runs/index.ts";
import { beside } from "../beside.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";

/** Which task it is, as its client knows it: the task of a question that was answered is that of the run that asked it. */
export type TaskHead = {
  taskId: string;
  contextId: string;
  runId: string;
  /** What the user said. */
  message: string;
  origin: string;
  /** Whether the reader may decide approvals of these roles. */
  mayDecide: (roles: readonly string[]) => boolean;
};

type Status = { state: string; timestamp: string; message?: object };

/** How a task stands, with what the formats of others have no place for. */
export type Standing = { status: Status; artifacts: object[]; metadata: object };

const TERMINAL = new Set(["TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED"]);

/** Terminal tasks never change. */
export const isTerminal = ({ status }: Standing): boolean => TERMINAL.has(status.state);

type Finished = Extract<RunEvent, { type: "run_finished" }>;

/** Whether an answer is a question of the conversation, so that the task waits for what the user says. */
export function asks({ data }: Finished): boolean {
  const { dialogue, ui_hint, tools_used } = data;
  return dialogue ? dialogue.next_action !== "DONE" : ui_hint !== undefined && tools_used.length === 0;
}

/** A run that goes on. @param text what is being done */
export function working(
  head: TaskHead,
  { text, queued }: { text?: string; queued?: boolean } = {},
): Standing {
  const state = queued ? "TASK_STATE_SUBMITTED" : "TASK_STATE_WORKING";
  const message = text === undefined ? {} : { message: agentMessage(head, [{ text }], state) };
  return { status: { state, timestamp: now(), ...message }, artifacts: [], metadata: metadataOf(head) };
}

/** A run that rests. @param event with which it does */
export function rested(event: RunEvent, head: TaskHead): Standing {
  const outcome = outcomeOf(event, head.origin);
  if (!outcome) return working(head);
  const at = { timestamp: event.at };
  if (outcome.kind === "answered") {
    const { data } = outcome;
    const about = beside(outcome, { runId: head.runId, sessionId: head.contextId });
    const metadata = { ...metadataOf(head), ...prefixed(about) };
    const parts = [{ text: outcome.text }, ...(data.outputs ? [{ data: data.outputs }] : [])];
    if (event.type === "run_finished" && asks(event)) {
      const status = statusOf("TASK_STATE_INPUT_REQUIRED", at, head, parts);
      return { status, artifacts: [], metadata };
    }
    const artifact = { artifactId: `${head.runId}-answer`, name: "answer", parts };
    const status = { state: "TASK_STATE_COMPLETED", ...at };
    return { status, artifacts: [artifact], metadata };
  }
  if (outcome.kind === "paused") return paused(outcome, at, head);
  const { error, cancelled } = outcome;
  const { code, retryable } = error;
  // A parked run waits for somebody who operates the mesh, and may go on.
  const stopped = cancelled ? "TASK_STATE_CANCELED" : "TASK_STATE_FAILED";
  const state = event.type === "run_parked" ? "TASK_STATE_AUTH_REQUIRED" : stopped;
  return {
    status: statusOf(state, at, head, [{ text: error.message }]),
    artifacts: [],
    metadata: { ...metadataOf(head), ...prefixed({ error: { code, retryable } }) },
  };
}

function paused(
  { approval, link, text }: Extract<Outcome, { kind: "paused" }>,
  at: { timestamp: string },
  head: TaskHead,
): Standing {
  const { id, proposal_hash, roles, expires_in_s } = approval;
  const asked = { approval: { id, proposal_hash, roles, expires_in_s, url: link } };
  const state = head.mayDecide(roles) ? "TASK_STATE_INPUT_REQUIRED" : "TASK_STATE_AUTH_REQUIRED";
  return {
    status: statusOf(state, at, head, [{ text }, { data: asked }]),
    artifacts: [],
    metadata: { ...metadataOf(head), ...prefixed(asked) },
  };
}

/** A run as it was found. @param rest the event with which it rests, where it does and that is known */
export function standing(record: RunRecord, rest: RunEvent | undefined, head: TaskHead): Standing {
  if (rest) return rested(rest, head);
  if (record.state !== "paused" || record.approvalId === undefined)
    return working(head, { queued: record.state === "queued" });
  const state = "TASK_STATE_INPUT_REQUIRED";
  const timestamp = new Date(record.createdAt).toISOString();
  const metadata = { ...metadataOf(head), ...prefixed({ approval: { id: record.approvalId } }) };
  return { status: { state, timestamp }, artifacts: [], metadata };
}

/** @param more what of the task the reader wants beside its status; absent: all */
export function taskOf(
  head: TaskHead,
  { status, artifacts, metadata }: Standing,
  more: { artifacts?: boolean; history?: boolean } = {},
): object {
  const { taskId: id, contextId, message } = head;
  const said = { messageId: `${head.runId}-user`, role: "ROLE_USER", taskId: id, contextId };
  return {
    ...{ id, contextId, status, metadata },
    ...(more.artifacts === false ? {} : { artifacts }),
    ...(more.history === false || message === ""
      ? {}
      : { history: [{ ...said, parts: [{ text: message }] }] }),
  };
}

function statusOf(state: string, at: { timestamp: string }, head: TaskHead, parts: object[]): Status {
  return { state, ...at, message: agentMessage(head, parts, state) };
}

function agentMessage({ runId, taskId, contextId }: TaskHead, parts: object[], state: string): object {
  const messageId = `${runId}-${state.slice("TASK_STATE_".length).toLowerCase()}`;
  return { messageId, role: "ROLE_AGENT", taskId, contextId, parts };
}

const metadataOf = ({ runId }: TaskHead): object => prefixed({ run_id: runId });

const prefixed = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`interlock/${name}`, value]));

const now = (): string => new Date().toISOString();
