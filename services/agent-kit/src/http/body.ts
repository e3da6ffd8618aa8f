import type { IncomingMessage } from "node:http";
import { agentContract, isDeeperThan, type RunRequest, readJson } from "@interlock/contracts";
import { Refused } from "../errors.ts";

/** Real inputs do not nest deeper, and recursive code would overflow its stack on JSON that does. */
const MAX_LEVELS = 32;

function malformed(): Refused {
  return new Refused("INVALID_REQUEST", "The body is not valid JSON in UTF-8.");
}

/** Refuses what the headers already rule out, before the body is read. */
function checkHead({ headers }: IncomingMessage, limit: number): void {
  const [mediaType, ...parameters] = (headers["content-type"] ?? "").toLowerCase().split(";");
  if (mediaType?.trim() !== "application/json") throw new Refused("UNSUPPORTED_MEDIA_TYPE");
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith("charset="));
  if (charset !== undefined && !/^charset="?utf-8"?$/.test(charset)) {
    throw new Refused("UNSUPPORTED_MEDIA_TYPE", "The body must be in UTF-8.");
  }
  if ((headers["content-encoding"] ?? "identity") !== "identity") {
    throw new Refused("UNSUPPORTED_MEDIA_TYPE", "The body must not have a content encoding.");
  }
  if (Number(headers["content-length"] ?? 0) > limit) throw new Refused("PAYLOAD_TOO_LARGE");
}

function readBytes(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The client went away before anybody listened.
    if (req.destroyed) reject(malformed());
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= limit) chunks.push(chunk);
      else {
        req.off("data", onData);
        reject(new Refused("PAYLOAD_TOO_LARGE"));
      }
    };
    req.on("data", onData);
    req.once("end", () => resolve(Buffer.concat(chunks, bytes)));
    req.once("close", () => reject(malformed()));
    req.once("error", () => reject(malformed()));
  });
}

/**
 * Reads and parses the body. Body parsers do not fit here: they wait for the rest of a body that is too large before
 * they refuse it, and their errors quote what was sent. Depth is checked later, so that a refusal can echo
 * `request_id`.
 *
 * @throws Refused 415 for another media type, 413 above the limit, 400 if it is not JSON
 */
export async function readBody(req: IncomingMessage, limit: number): Promise<unknown> {
  checkHead(req, limit);
  const read = readJson(await readBytes(req, limit));
  if (!read.ok) throw malformed();
  return read.value;
}

/** The `request_id` to echo: the one that was sent, if it is a string, else the empty string. */
export function sentRequestId(body: unknown): string {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, "request_id")) return "";
  const id: unknown = Reflect.get(body, "request_id");
  return typeof id === "string" ? id : "";
}

/** @throws Refused unless the body is a valid run request */
export function checkRequest(body: unknown): RunRequest {
  if (isDeeperThan(MAX_LEVELS, body)) {
    throw new Refused("INVALID_REQUEST", `The body is nested more than ${MAX_LEVELS} levels deep.`);
  }
  const checked = agentContract.runRequest(body);
  if (checked.ok) return checked.value;
  const { path, rule, message } = checked.problem;
  throw new Refused("INVALID_REQUEST", `The request is not valid: ${message}.`, { path, rule });
}
