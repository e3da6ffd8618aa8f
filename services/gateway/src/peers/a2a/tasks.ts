import type { Caller } from "../../caller.ts";
import { GatewayError } from "../../errors.ts";
import { decodeEvent } from "../../events/index.ts";
import { type ApiRequest, cursorText } from "../../http/index.ts";
import type { Access } from "../../identity/index.ts";
import { ID_PATTERN } from "../../ids.ts";
import type { PageCursor, RunRecord } from "../../runs/index.ts";
import { originOf, type PeerDeps } from "../peer.ts";
import { A2aError, noSuchTask } from "./error.ts";
import { asks, isTerminal, type Standing, standing, type TaskHead, taskOf } from "./task.ts";

/** A task as it stands: the run that asked first, and the latest one, which answered its questions. */
export type Found = { head: TaskHead; record: RunRecord; standing: Standing; isQuestion: boolean };

/** Turns of a session in which the answer of a question is looked for. */
const TURNS = 100;

/** @throws A2aError: foreign and unknown tasks look alike */
export async function findTask(request: ApiRequest, taskId: string, deps: PeerDeps): Promise<Found> {
  if (request.admitted) await request.admitted;
  if (!ID_PATTERN.test(taskId)) throw noSuchTask();
  const first = await deps.runs.find(request.caller, taskId).catch(unlessFound);
  return await stand(request, first, deps);
}

/** Follows a question to the turn that answered it. */
async function stand(request: ApiRequest, first: RunRecord, deps: PeerDeps): Promise<Found> {
  const { caller } = request;
  let record = first;
  if (isQuestion(first)) {
    const session = await deps.sessions.find(caller, first.sessionId, 2 * TURNS).catch(() => undefined);
    const turns =
      session?.turns.flatMap(({ role, run_id }) => (role === "user" && run_id ? [run_id] : [])) ?? [];
    for (const id of turns.slice(turns.indexOf(first.id) + 1)) {
      // A session's turns lie behind the question only where the question is among them.
      if (!turns.includes(first.id) || !isQuestion(record)) break;
      record = await deps.runs.find(caller, id).catch(unlessFound);
    }
  }
  const head = headOf(request, { taskId: first.id, run: record, message: first.order.message }, deps);
  const rest = await deps.runs.open(caller, record).rested();
  return { head, record, standing: standing(record, rest, head), isQuestion: isQuestion(record) };
}

export function headOf(
  request: ApiRequest,
  { taskId, run, message }: { taskId: string; run: { id: string; sessionId: string }; message: string },
  deps: PeerDeps,
): TaskHead {
  const { caller } = request;
  const { access } = deps;
  return {
    ...{ taskId, contextId: run.sessionId, runId: run.id, message, origin: originOf(request, deps) },
    mayDecide: mayDecide(caller, access),
  };
}

/** Whether a caller may decide approvals of these roles. */
export const mayDecide =
  (caller: Caller, access: Access): TaskHead["mayDecide"] =>
  (roles) =>
    access.decidesApprovals(caller) && (roles.length === 0 || access.hasRole(caller, roles));

function isQuestion({ terminal }: RunRecord): boolean {
  if (terminal === undefined) return false;
  const event = decodeEvent(terminal);
  return event.type === "run_finished" && asks(event);
}

/** The caller's tasks, latest first. A page looks at `limit` runs and has those that match. */
export async function listTasks(
  request: ApiRequest,
  page: {
    limit: number;
    before?: PageCursor | undefined;
    contextId?: string | undefined;
    state?: string | undefined;
    since?: number | undefined;
    artifacts: boolean;
    history: boolean;
  },
  deps: PeerDeps,
): Promise<object> {
  const { limit, before, contextId, state, since } = page;
  if (request.admitted) await request.admitted;
  const { runs, next } = await deps.runs.list(request.caller, { limit, ...(before ? { before } : {}) });
  const tasks: object[] = [];
  for (const record of runs) {
    if (contextId !== undefined && record.sessionId !== contextId) continue;
    const found = await stand(request, record, deps);
    const { status } = found.standing;
    if (state !== undefined && status.state !== state) continue;
    if (since !== undefined && Date.parse(status.timestamp) < since) continue;
    tasks.push(taskOf(found.head, found.standing, page));
  }
  return {
    ...{ tasks, pageSize: limit, totalSize: tasks.length },
    nextPageToken: next ? cursorText(next) : "",
  };
}

/** @throws A2aError where the task has ended, or has begun to take effect */
export async function cancelTask(request: ApiRequest, taskId: string, deps: PeerDeps): Promise<object> {
  const { record, standing: before } = await findTask(request, taskId, deps);
  const isOver = isTerminal(before) || record.terminal !== undefined;
  const state = isOver
    ? undefined
    : await deps.runs.cancel(request.caller, record.id).catch((error: unknown) => {
        if (error instanceof GatewayError && error.code === "conflict") return undefined;
        throw error;
      });
  if (state !== "cancelled")
    throw new A2aError("TASK_NOT_CANCELABLE", "conflict", "The task has ended, or takes effect already.");
  const found = await findTask(request, taskId, deps);
  return taskOf(found.head, found.standing);
}

function unlessFound(error: unknown): never {
  if (error instanceof GatewayError && error.code === "not_found") throw noSuchTask();
  throw error;
}
