import type { A2APushRequest } from "@interlock/contracts";
import { GatewayError } from "../../errors.ts";
import type { ApiRequest } from "../../http/index.ts";
import { ID_PATTERN } from "../../ids.ts";
import type { PeerDeps } from "../peer.ts";
import { A2aError } from "./error.ts";
import type { Pushes, Receiver } from "./pushes.ts";
import { isTerminal } from "./task.ts";
import { findTask } from "./tasks.ts";

export type PushDeps = PeerDeps & {
  /** Absent: the mesh sends none. */
  pushes?: Pushes | undefined;
};

/** @throws A2aError where the mesh sends no push notifications */
export function pushesOf({ pushes }: PushDeps): Pushes {
  if (pushes) return pushes;
  throw new A2aError(
    "PUSH_NOTIFICATION_NOT_SUPPORTED",
    "invalid_request",
    "The mesh sends no push notifications: its manifest has no `peers.a2a.push_to`.",
  );
}

/** Names a receiver of a task's changes. @throws A2aError where there will be none any more */
export async function createPush(
  request: ApiRequest,
  taskId: string,
  sent: A2APushRequest,
  deps: PushDeps,
): Promise<object> {
  const pushes = pushesOf(deps);
  if (sent.taskId && sent.taskId !== taskId)
    throw new GatewayError("invalid_request", "The request names two tasks.");
  const receiver = pushes.receiver(request.caller, sent);
  await keepReceiver(request, taskId, receiver, deps);
  return await pushes.get(request.caller, { task: taskId, id: receiver.id });
}

export async function keepReceiver(
  request: ApiRequest,
  taskId: string,
  receiver: Receiver,
  deps: PushDeps,
): Promise<void> {
  const pushes = pushesOf(deps);
  // What has changed between look and write would never be told.
  for (let kept = false; !kept; ) {
    const { record, standing } = await findTask(request, taskId, deps);
    if (isTerminal(standing))
      throw new A2aError(
        "UNSUPPORTED_OPERATION",
        "conflict",
        "The task has ended: nothing more is told of it.",
      );
    kept = await pushes.put(request.caller, taskId, record, receiver);
  }
}

export async function getPush(
  request: ApiRequest,
  taskId: string,
  id: string,
  deps: PushDeps,
): Promise<object> {
  const pushes = pushesOf(deps);
  await findTask(request, taskId, deps);
  return await pushes.get(request.caller, { task: taskId, id });
}

export async function listPushes(request: ApiRequest, taskId: string, deps: PushDeps): Promise<object> {
  const pushes = pushesOf(deps);
  await findTask(request, taskId, deps);
  return { configs: await pushes.list(request.caller, taskId), nextPageToken: "" };
}

export async function removePush(
  request: ApiRequest,
  taskId: string,
  id: string,
  deps: PushDeps,
): Promise<void> {
  const pushes = pushesOf(deps);
  await findTask(request, taskId, deps);
  if (ID_PATTERN.test(id)) await pushes.remove(request.caller, { task: taskId, id });
}
