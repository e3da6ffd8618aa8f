import type { A2ASendRequest } from "@interlock/contracts";
import { GatewayError } from "../../errors.ts";
import { ID_PATTERN } from "../../ids.ts";
import { isDecision } from "../decide.ts";
import { A2aError } from "./error.ts";

/** What a message says: words for a service, or what is decided about an approval. */
export type Heard = {
  text: string;
  decision: Readonly<Record<string, unknown>> | undefined;
  /** The task and the session that it names. */
  taskId: string | undefined;
  contextId: string | undefined;
};

/** @throws GatewayError invalid_request; A2aError for parts that a service cannot read */
export function read({ message }: A2ASendRequest): Heard {
  const texts: string[] = [];
  let decision: Heard["decision"];
  for (const { text, data } of message.parts) {
    if (typeof text === "string") texts.push(text);
    else if (isDecision(data)) decision = { ...Object(data) };
    else
      throw new A2aError(
        "CONTENT_TYPE_NOT_SUPPORTED",
        "invalid_request",
        "A service reads text; data is a decision about an approval.",
      );
  }
  return {
    text: texts.join("\n"),
    decision,
    taskId: named(message.taskId, "taskId"),
    contextId: named(message.contextId, "contextId"),
  };
}

/** An empty name is none: so the protocol's encoding has it. */
function named(id: string | null | undefined, field: string): string | undefined {
  if (!id) return undefined;
  if (ID_PATTERN.test(id)) return id;
  throw new GatewayError(
    "invalid_request",
    `The ${field} has 1 to 64 letters (A to Z, a to z), digits, _ or -.`,
  );
}
