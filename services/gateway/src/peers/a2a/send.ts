import { createHash, randomUUID } from "node:crypto";
import type { A2ASendRequest } from "@interlock/contracts";
import { GatewayError } from "../../errors.ts";
import {
  type ApiRequest,
  agentLabels,
  headerOf,
  idempotencyOfCall,
  restOf,
  streamRun,
} from "../../http/index.ts";
import type { IdempotencyKey, RunHandle } from "../../runs/index.ts";
import { type DecideDeps, decide } from "../decide.ts";
import { follow } from "../follow.ts";
import { begin, type PeerDeps } from "../peer.ts";
import type { CardDeps } from "./card.ts";
import { A2aError, noSuchTask } from "./error.ts";
import { a2aEvents, type Framing } from "./events.ts";
import { type Heard, read } from "./message.ts";
import { keepReceiver, pushesOf } from "./push.ts";
import { rested, type TaskHead, taskOf, working } from "./task.ts";
import { type Found, findTask, headOf } from "./tasks.ts";

export type A2aDeps = PeerDeps & DecideDeps & CardDeps;

const KEEPALIVE_MS = 15_000;
/** Where a request names the service that it is for; absent: the path's, or whichever the message is for. */
const SERVICE = "interlock/service";

/** What a message came to at once: a run that goes on with a task, or all of the answer. */
type Begun =
  | {
      kind: "run";
      head: TaskHead;
      run: RunHandle;
      /** The last event before the message; absent: the run is new. */
      after?: number;
    }
  | { kind: "answer"; payload: object };

/**
 * Sends a message, and waits for the task to rest unless the caller does not. A task goes on without its client.
 * @returns what the protocol's SendMessageResponse has
 */
export async function sendMessage(
  request: ApiRequest,
  { body, service }: { body: A2ASendRequest; service: string | undefined },
  deps: A2aDeps,
): Promise<object> {
  const { returnImmediately, historyLength } = body.configuration ?? {};
  const how = { service, background: returnImmediately ?? false, quiet: !returnImmediately };
  const begun = await hear(request, body, how, deps);
  if (begun.kind === "answer") return begun.payload;
  const { head, run, after } = begun;
  const more = { history: historyLength !== 0 };
  if (returnImmediately) {
    if (!run.replayed) return { task: taskOf(head, working(head, { queued: true }), more) };
    const found = await findTask(request, run.id, deps);
    return { task: taskOf(found.head, found.standing, more) };
  }
  const rest =
    after === undefined
      ? await restOf(run)
      : await follow(run, { signal: new AbortController().signal, onEvent: () => undefined });
  return { task: taskOf(head, rested(rest, head), more) };
}

/** Sends a message, and streams what its task does. */
export async function streamMessage(
  request: ApiRequest,
  { body, service, framing }: { body: A2ASendRequest; service: string | undefined; framing: Framing },
  deps: A2aDeps,
): Promise<void> {
  const { res, caller } = request;
  deps.streams.admit(res, caller);
  const begun = await hear(request, body, { service }, deps);
  if (begun.kind === "answer") return deps.streams.open(res, KEEPALIVE_MS).end(framing.event(begun.payload));
  const { head, run, after } = begun;
  await stream(request, { head, run, after, framing, untilRest: run.replayed, first: working(head) }, deps);
}

/** Streams what a task does from here on, or from the event of an earlier stream on. */
export async function subscribe(
  request: ApiRequest,
  { taskId, framing }: { taskId: string; framing: Framing },
  deps: A2aDeps,
): Promise<void> {
  const { req, res, caller } = request;
  const { head, record, standing } = await findTask(request, taskId, deps);
  const [, runId, seq] =
    /^([A-Za-z0-9_-]{1,64}):(\d{1,10})$/.exec(headerOf(req, "last-event-id") ?? "") ?? [];
  const after = runId === record.id ? Number(seq) : runId === undefined ? record.seq : 0;
  if (after > record.seq) throw new GatewayError("invalid_cursor");
  if (record.terminal !== undefined && after === record.seq)
    throw new A2aError("UNSUPPORTED_OPERATION", "conflict", "Nothing more follows: get the task.");
  deps.streams.admit(res, caller);
  const first = after < record.seq ? working(head) : standing;
  const run = deps.runs.open(caller, record);
  await stream(request, { head, run, after, framing, first }, deps);
}

async function stream(
  { res }: ApiRequest,
  options: {
    head: TaskHead;
    run: RunHandle;
    after?: number | undefined;
    framing: Framing;
    first: Parameters<typeof taskOf>[1];
    untilRest?: boolean;
  },
  deps: A2aDeps,
): Promise<void> {
  const { head, run, after = 0, framing, first, untilRest = false } = options;
  await streamRun(run, {
    ...{ after, untilRest, dialect: a2aEvents(head, framing) },
    labelOf: agentLabels(deps.mesh, head.message),
    open() {
      const opened = deps.streams.open(res, KEEPALIVE_MS, { "x-run-id": run.id });
      opened.write(framing.event({ task: taskOf(head, first) }));
      return opened;
    },
  });
}

type How = { service: string | undefined; background?: boolean; quiet?: boolean };

/** @throws GatewayError as a turn or a decision does; A2aError where the task does not take a message */
async function hear(request: ApiRequest, body: A2ASendRequest, how: How, deps: A2aDeps): Promise<Begun> {
  const { taskPushNotificationConfig: push } = body.configuration ?? {};
  const receiver = push ? pushesOf(deps).receiver(request.caller, push) : undefined;
  const heard = read(body);
  if (heard.decision) {
    if (receiver && heard.taskId !== undefined) await keepReceiver(request, heard.taskId, receiver, deps);
    return await answer(request, heard.decision, heard, deps);
  }
  const { text } = heard;
  const idempotency = idempotencyOfCall(request.caller, keyOf(request, body), { text });
  const found = await goneOnWith(request, heard, idempotency, deps);
  if (text.trim() === "") throw new GatewayError("invalid_request", "A message has a text.");
  // A message that is sent again finds that its task has gone on.
  if (receiver && found?.isQuestion) await keepReceiver(request, found.head.taskId, receiver, deps);
  const named: unknown = Object(body.metadata)[SERVICE];
  const { run } = await begin(
    request,
    {
      message: text,
      sessionId: found?.head.contextId ?? heard.contextId ?? randomUUID(),
      idempotency,
      notify: found ? deps.pushes && { task: found.head.taskId } : receiver && { receiver },
      ...how,
      service: typeof named === "string" ? named : how.service,
    },
    deps,
  );
  const head = headOf(request, { taskId: found?.head.taskId ?? run.id, run, message: text }, deps);
  return { kind: "run", head, run };
}

/** Of a message that is sent again: the protocol's clients give each one an id of its own. */
function keyOf({ req }: ApiRequest, { message }: A2ASendRequest): string {
  const { messageId, contextId, taskId } = message;
  const key = headerOf(req, "idempotency-key") ?? JSON.stringify([contextId, taskId, messageId]);
  return `a2a-${createHash("sha256").update(key).digest("base64url")}`;
}

/** A task that a message goes on with: one that has asked something, unless the same message has answered it already. */
async function goneOnWith(
  request: ApiRequest,
  { taskId, contextId }: Heard,
  idempotency: IdempotencyKey,
  deps: A2aDeps,
): Promise<Found | undefined> {
  if (taskId === undefined) return undefined;
  const found = await findTask(request, taskId, deps);
  if (contextId !== undefined && contextId !== found.head.contextId)
    throw new GatewayError("invalid_request", "The task belongs to another context.");
  if (found.isQuestion || (await deps.runs.ofKey(request.caller, idempotency)) !== undefined) return found;
  const said =
    found.record.state === "paused"
      ? "The task waits for a decision, as data; a message without its taskId is another turn."
      : "The task takes no message: it has ended, or it is under way.";
  throw new A2aError("UNSUPPORTED_OPERATION", "conflict", said);
}

/** Decides what a task waits for, with the caller's own rights; those who may not read the run name the approval. */
async function answer(
  request: ApiRequest,
  { approval_id: named, ...decision }: Readonly<Record<string, unknown>>,
  { taskId }: Heard,
  deps: A2aDeps,
): Promise<Begun> {
  const found =
    taskId === undefined
      ? undefined
      : await findTask(request, taskId, deps).catch((error: unknown) => {
          if (error instanceof A2aError && typeof named === "string") return undefined;
          throw error;
        });
  const approvalId = typeof named === "string" ? named : found?.record.approvalId;
  if (approvalId === undefined) throw noSuchTask();
  const { decided } = await decide(request, approvalId, decision, deps);
  const data = { decision: decided };
  if (!found || found.record.id !== decided.run_id) {
    const parts = [{ text: `The approval is ${decided.decision}.` }, { data }];
    return { kind: "answer", payload: { message: { messageId: randomUUID(), role: "ROLE_AGENT", parts } } };
  }
  const { head, record, standing } = found;
  if (decided.decision === "edited") {
    const { run_id: _, ...edited } = decided;
    const metadata = { ...standing.metadata, "interlock/approval": { id: approvalId, ...edited } };
    return { kind: "answer", payload: { task: taskOf(head, { ...standing, metadata }) } };
  }
  const run = deps.runs.open(request.caller, await deps.runs.find(request.caller, record.id));
  return { kind: "run", head, run, after: record.seq };
}
