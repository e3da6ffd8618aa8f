import { GatewayError } from "../errors.ts";

/** A message of a client's transcript: a text, or parts. */
export type Said = { role?: string; content?: unknown };

const TEXT_TYPES = new Set(["text", "input_text", "output_text"]);

/** What a message says. @throws GatewayError invalid_request for anything but text */
export function textOf({ content }: Said): string {
  if (typeof content === "string") return content;
  const parts: unknown[] = Array.isArray(content) ? content : [undefined];
  const texts = parts.map((part) => {
    const { type, text } = Object(part);
    if (TEXT_TYPES.has(type) && typeof text === "string") return text;
    throw new GatewayError(
      "invalid_request",
      "A service reads text: no images, sound or files can be sent to it.",
    );
  });
  return texts.join("\n");
}

/**
 * The last message, which the service is asked. What came before is for those who keep no sessions: the session's own transcript counts.
 * @throws GatewayError invalid_request
 */
export function lastMessage(messages: readonly Said[]): string {
  const last = messages.findLast(({ role }) => role !== "system" && role !== "developer");
  if (last?.role !== "user") throw new GatewayError("invalid_request", "The last message is the user's.");
  return textOf(last);
}

/** @throws GatewayError invalid_request for tools that a client sends, which would have to be ignored in silence */
export function refuseTools(tools: readonly unknown[] | null | undefined): void {
  if (tools && tools.length > 0)
    throw new GatewayError("invalid_request", "A service has tools of its own: none can be sent to it.");
}
