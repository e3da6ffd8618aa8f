import { AGENT_ERRORS, type Refusal } from "@interlock/contracts";
import type { Response } from "express";
import { Refused, toAgentError } from "../errors.ts";

export function sendJson(res: Response, status: number, text: string): void {
  if (res.headersSent || res.closed) return;
  res.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  res.end(text);
}

function toRefusal(requestId: string, refused: Refused): Refusal {
  return {
    request_id: requestId,
    ok: false,
    status: "error",
    outputs: {},
    warnings: [],
    error: toAgentError(refused),
  };
}

/** Any other error is a defect. Its message may quote inputs, so the caller sees only INTERNAL. */
export function asRefused(error: unknown): Refused {
  return error instanceof Refused ? error : new Refused("INTERNAL");
}

export function sendRefusal(res: Response, requestId: string, refused: Refused): void {
  if (res.closed) return;
  // The answer has started, so it cannot become a refusal. Closing the connection shows that it is incomplete.
  if (res.headersSent) return void res.destroy();
  if (AGENT_ERRORS[refused.code].retryable) res.setHeader("Retry-After", "1");
  if (refused.code === "UNAUTHORIZED") res.setHeader("WWW-Authenticate", "Bearer");
  if (refused.code === "UNAVAILABLE") res.setHeader("Connection", "close");
  sendJson(res, refused.status, JSON.stringify(toRefusal(requestId, refused)));
  // Discard the rest of the body: many clients read the answer only after they have sent everything.
  if (!res.req.complete) res.req.resume();
}
