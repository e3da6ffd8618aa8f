import { agentContract, type RunRequest } from "@interlock/contracts";
import express, { type Request, type RequestHandler, type Response } from "express";
import { Refused } from "../errors.ts";

/** Deeper JSON is nobody's inputs and can exhaust the stack of whoever walks it. */
const MAX_LEVELS = 32;

export type ReadBody = (req: Request, res: Response) => Promise<unknown>;

const isJson = (contentType: string | undefined): boolean =>
  contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/json";

/** By `type`, for these errors carry the raw body and must not be shown. */
const PARSER_ERRORS: Readonly<Record<string, () => Refused>> = {
  "entity.too.large": () => new Refused("PAYLOAD_TOO_LARGE"),
  "charset.unsupported": () => new Refused("UNSUPPORTED_MEDIA_TYPE", "The body must be in UTF-8."),
  "encoding.unsupported": () =>
    new Refused("UNSUPPORTED_MEDIA_TYPE", "The body must not have a content encoding."),
};

const toRefused = (error: unknown): Refused => {
  const type = typeof error === "object" && error !== null && "type" in error ? String(error.type) : "";
  const known = Object.hasOwn(PARSER_ERRORS, type) ? PARSER_ERRORS[type] : undefined;
  return known?.() ?? new Refused("INVALID_REQUEST", "The body is not valid JSON.");
};

/** The parsed body, or Refused: 415 for another media type, 413 past the limit, 400 for what is not JSON. */
export const bodyReader = (limit: number): ReadBody => {
  const parse: RequestHandler = express.json({ limit, strict: false, inflate: false, type: () => true });
  return (req, res) =>
    new Promise((resolve, reject) => {
      if (!isJson(req.headers["content-type"])) throw new Refused("UNSUPPORTED_MEDIA_TYPE");
      parse(req, res, (error?: unknown) => (error ? reject(toRefused(error)) : resolve(req.body)));
    });
};

/** What is echoed in an answer: the id that was sent, if it was a string. */
export const sentRequestId = (body: unknown): string => {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, "request_id")) return "";
  const id: unknown = Reflect.get(body, "request_id");
  return typeof id === "string" ? id : "";
};

const isDeeperThan = (levels: number, value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const entry of value) if (isDeeperThan(levels - 1, entry)) return true;
    return false;
  }
  for (const entry of Object.values(value)) if (isDeeperThan(levels - 1, entry)) return true;
  return false;
};

/** Throws Refused unless the body is a request of the contract. */
export const checkRequest = (body: unknown): RunRequest => {
  if (isDeeperThan(MAX_LEVELS, body)) {
    throw new Refused("INVALID_REQUEST", `The body is nested more than ${MAX_LEVELS} levels deep.`);
  }
  const checked = agentContract.runRequest(body);
  if (checked.ok) return checked.value;
  const { path, rule, message } = checked.problem;
  throw new Refused("INVALID_REQUEST", `The request is not valid: ${message}.`, { path, rule });
};
