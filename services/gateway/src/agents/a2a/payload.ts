import { agentContract } from "@interlock/contracts";
import type { Payload } from "../payload.ts";
import { headersOf } from "../payload.ts";
import type { DispatchRequest } from "../types.ts";

/** The version of the protocol that is spoken. */
const VERSION = "1.0";
/** Longer inputs are no turn of a dialogue, and are passed on as they are. */
const MOST_PARSED = 256 * 1024;
const MODES = ["text/plain", "application/json"];

/** A dispatch as a message of A2A. */
export type A2aPayload = Payload & {
  /** The task is one of a dialogue: what the agent asks is its answer. */
  isDialogue: boolean;
};

/**
 * What an agent of somebody else is asked: the message of a dialogue, with the task and the context of its last turn as the state; otherwise
 * what the inputs call `message`, or the user said, and the other inputs as data.
 */
export function a2aPayload(request: DispatchRequest): A2aPayload {
  const { body, idempotencyKey = body.request_id, task } = request;
  const text = request.inputsJson ?? JSON.stringify(body.inputs ?? {});
  const inputs: unknown = text.length > MOST_PARSED ? undefined : JSON.parse(text);
  const turn = agentContract.dialogueTurn(inputs);
  const { context_id: contextId, task_id: taskId } = Object(turn.ok ? turn.value.state : undefined);
  const parts = turn.ok ? [{ text: turn.value.message }] : partsOf(inputs, request.message);
  const message = JSON.stringify({
    // The same for every attempt, so that the agent knows a repetition.
    messageId: idempotencyKey,
    role: "ROLE_USER",
    ...(typeof contextId === "string" ? { contextId } : {}),
    ...(typeof taskId === "string" ? { taskId } : {}),
    parts: inputs === undefined ? [{ data: null }] : parts,
    metadata: { "interlock/task_type": task },
  });
  const whole = inputs === undefined ? message.replace('{"data":null}', () => `{"data":${text}}`) : message;
  const configuration = JSON.stringify({ acceptedOutputModes: MODES });
  return {
    isDialogue: turn.ok,
    headers: [...headersOf("text/event-stream"), "a2a-version", VERSION],
    body: (requestId) =>
      call(requestId, "SendStreamingMessage", `{"message":${whole},"configuration":${configuration}}`),
  };
}

/** Tells an agent that nobody waits for a task any more: in A2A a stream that is closed cancels nothing. */
export function cancelCall(requestId: string, taskId: string): string {
  return call(requestId, "CancelTask", JSON.stringify({ id: taskId }));
}

const call = (id: string, method: string, params: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"${method}","params":${params}}`;

function partsOf(inputs: unknown, said: string | undefined): object[] {
  const { message = said, ...data } = Object(inputs);
  const parts = [
    ...(typeof message === "string" && message !== "" ? [{ text: message }] : []),
    ...(Object.keys(data).length > 0 ? [{ data }] : []),
  ];
  return parts.length > 0 ? parts : [{ data: {} }];
}
