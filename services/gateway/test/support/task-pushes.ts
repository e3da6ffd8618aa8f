import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { message } from "./a2a-peers.ts";
import { publishingMesh } from "./publishing.ts";
import type { Delivered } from "./receiver.ts";

/** A key file of its own, which the gateway makes. */
export function keyFile() {
  const dir = mkdtempSync(join(tmpdir(), "interlock-key-"));
  return { path: join(dir, "gateway.pem"), stop: () => rmSync(dir, { recursive: true, force: true }) };
}

/** The publishing mesh, where callers may have push notifications sent to these hosts. */
export const pushingMesh = (
  agentUrl: string,
  push_to: readonly string[] = ["127.0.0.1"],
  more: object = {},
) => ({
  ...publishingMesh(agentUrl),
  peers: { a2a: { push_to } },
  ...more,
});

export const TOKEN = "t0k3n-of-the-receiver";
export const CREDENTIALS = "s3cret-of-the-receiver";

/** What a client names. */
export const config = (url: string, more: { id?: string; taskId?: string } = {}) => ({
  ...{ tenant: "", id: "", taskId: "", url, token: TOKEN },
  authentication: { scheme: "Bearer", credentials: CREDENTIALS },
  ...more,
});

type Sent = NonNullable<Parameters<typeof message>[1]> & { service?: string; waits?: boolean };

/** Sends a message that names a receiver. */
export async function sendTold(
  client: Client,
  text: string,
  receiver: ReturnType<typeof config> | undefined,
  { service, waits = true, ...more }: Sent = {},
): Promise<Task> {
  const answer = await client.sendMessage({
    tenant: "",
    message: message(text, more),
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: receiver,
      returnImmediately: !waits,
    },
    metadata: service === undefined ? undefined : { "interlock/service": service },
  });
  if (!("status" in answer)) throw new Error("a message is no task");
  return answer;
}

/** What a receiver was told, as the protocol's library reads it: task, state, and all of the rest. */
export function toldIn({ body }: Delivered) {
  const { payload } = StreamResponse.fromJSON(JSON.parse(body));
  if (payload?.$case !== "statusUpdate") throw new Error("it is no change of a state");
  const { taskId, contextId, status, metadata } = payload.value;
  return {
    taskId,
    contextId,
    state: String(TaskState[status?.state ?? 0]),
    message: status?.message,
    metadata,
  };
}

/** The states that were told, each once, in the order of what they tell. */
export function statesIn(delivered: readonly Delivered[]): string[] {
  const at = ({ body }: Delivered) => Date.parse(JSON.parse(body).statusUpdate.status.timestamp);
  const ordered = delivered.toSorted((a, b) => at(a) - at(b));
  return [...new Set(ordered.map((one) => toldIn(one).state))];
}
