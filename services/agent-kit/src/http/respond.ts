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

export function toRefusal(requestId: string, refused: Refused): Refusal {
  return {
    request_id: requestId,
    ok: false,
    status: "error",
    outputs: {},
    warnings: [],
    error: toAgentError(refused),
  };
}

/** Anything that is not a refusal is a defect, and is told as one without its words. */
export function asRefused(error: unknown): Refused {
  return error instanceof Refused ? error : new Refused("INTERNAL");
}

export function sendRefusal(res: Response, requestId: string, refused: Refused): void {
  if (res.closed) return;
  // Too late for a refusal: a cut answer is at least seen to be one.
  if (res.headersSent) return void res.destroy();
  if (AGENT_ERRORS[refused.code].retryable) res.setHeader("Retry-After", "1");
  if (refused.code === "UNAVAILABLE") res.setHeader("Connection", "close");
  sendJson(res, refused.status, JSON.stringify(toRefusal(requestId, refused)));
  // What is still being sent is read and dropped, or its sender would never come to read the answer.
  if (!res.req.complete) res.req.resume();
}
