import { createHash, randomUUID } from "node:crypto";
import { principalOf } from "../../caller.ts";
import { GatewayError } from "../../errors.ts";
import { type ApiRequest, headerOf } from "../../http/index.ts";
import { ID_PATTERN } from "../../ids.ts";
import type { PeerDeps } from "../peer.ts";
import { refuseTools, type Said, textOf } from "../said.ts";

export type ServiceDeps = PeerDeps & {
  /** Whether streams of chat completions tell what agents do, as `reasoning_content`. */
  progress: boolean;
};

/** Before the name of a service where a model's name is expected. */
const PREFIX = "interlock/";
/** Whichever service the message is for. */
const AUTO = `${PREFIX}auto`;

export const isService = (model: unknown): boolean => typeof model === "string" && model.startsWith(PREFIX);

export const modelOf = (service?: string): string => (service === undefined ? AUTO : PREFIX + service);

/** @returns undefined where the gateway chooses */
export function serviceOf(model: string): string | undefined {
  return model === AUTO ? undefined : model.slice(PREFIX.length);
}

/** What a client asked for that a service cannot heed, and would have to ignore in silence. */
export function refuseUnheeded(body: {
  tools?: readonly unknown[] | null | undefined;
  tool_choice?: unknown;
  response_format?: { type?: unknown } | null | undefined;
  n?: number | null | undefined;
}): void {
  const { tools, tool_choice: choice, response_format: format, n } = body;
  if (choice !== "none") refuseTools(tools);
  if (format && format.type !== "text")
    throw new GatewayError("invalid_request", "A service answers in text: no other format can be asked for.");
  if (typeof n === "number" && n > 1)
    throw new GatewayError("invalid_request", "A service gives one answer.");
}

/** Where clients name their conversation; the second is that of Open WebUI, which can send it and nothing else. */
const HEADERS = ["x-session-id", "x-openwebui-chat-id"] as const;

/**
 * The session of a request: what the client calls it or, where it calls it nothing, one for each caller and beginning of a conversation.
 * @param messages absent: the client sends no transcript, so that a request without a name begins a session
 * @throws GatewayError invalid_request
 */
export function sessionOf(
  { req, caller }: ApiRequest,
  { metadata, messages }: { metadata?: Readonly<Record<string, unknown>> | null; messages?: readonly Said[] },
): string {
  const named = metadata?.session_id ?? HEADERS.map((name) => headerOf(req, name)).find((id) => id);
  if (named !== undefined) {
    if (typeof named === "string" && ID_PATTERN.test(named)) return named;
    throw new GatewayError(
      "invalid_request",
      "The session's id has 1 to 64 letters (A to Z, a to z), digits, _ or -.",
    );
  }
  const first = messages?.find(({ role }) => role === "user");
  if (!first) return randomUUID();
  const begun = `${principalOf(caller)}\0${textOf(first)}`;
  return `openai-${createHash("sha256").update(begun).digest("base64url")}`;
}
