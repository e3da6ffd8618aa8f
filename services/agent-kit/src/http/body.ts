import type { IncomingMessage } from "node:http";
import { agentContract, isDeeperThan, JsonScan, type RunRequest, readJson } from "@interlock/contracts";
import { Refused } from "../errors.ts";

/** Real inputs do not nest deeper, and recursive code would overflow its stack on JSON that does. */
const MAX_LEVELS = 32;

/** Deeper JSON is refused before it is parsed: a parser takes seconds for millions of levels. */
const MAX_LEVELS_PARSED = 512;
/** Real inputs have fewer elements and members for their bytes: tables of prices have one for 18. */
const BYTES_PER_VALUE = 12;
/** Always allowed, since a small body may be a list of digits. */
const VALUES_OF_ANY = 100_000;
/** Objects with more members take long to make, to check and to list. */
const MEMBERS_OF_OBJECT = 100_000;

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
 * they refuse it, and their errors quote what was sent. Depth is checked again later, so that a refusal can echo
 * `request_id`.
 *
 * @param limit bytes
 * @throws Refused 415 for another media type, 413 above the limit, 400 if it is not JSON, far too deep or has too many values
 */
export async function readBody(req: IncomingMessage, limit: number): Promise<unknown> {
  checkHead(req, limit);
  const bytes = await readBytes(req, limit);
  checkShape(bytes, limit);
  const read = readJson(bytes);
  if (!read.ok) throw malformed();
  return read.value;
}

/** Scans only brackets and commas: parsing millions of values would block everything else in the agent. */
function checkShape(bytes: Buffer, limit: number): void {
  const maxValues = Math.max(VALUES_OF_ANY, limit / BYTES_PER_VALUE);
  if (bytes.length < MAX_LEVELS_PARSED) return;
  switch (
    new JsonScan({ maxDepth: MAX_LEVELS_PARSED, maxValues, maxMembers: MEMBERS_OF_OBJECT }).advance(
      bytes,
      bytes.length,
    )
  ) {
    case undefined:
      return;
    case "too_deep":
      throw tooDeep();
    default:
      throw new Refused("INVALID_REQUEST", "The body has too many elements and members.");
  }
}

function tooDeep(): Refused {
  return new Refused("INVALID_REQUEST", `The body is nested more than ${MAX_LEVELS} levels deep.`);
}

/** The `request_id` to echo: the one that was sent, if it is a string, else the empty string. */
export function sentRequestId(body: unknown): string {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, "request_id")) return "";
  const id: unknown = Reflect.get(body, "request_id");
  return typeof id === "string" ? id : "";
}

/** @throws Refused unless the body is a valid run request */
export function checkRequest(body: unknown): RunRequest {
  if (isDeeperThan(MAX_LEVELS, body)) throw tooDeep();
  const checked = agentContract.runRequest(body);
  if (checked.ok) return checked.value;
  const { path, rule, message } = checked.problem;
  throw new Refused("INVALID_REQUEST", `The request is not valid: ${message}.`, { path, rule });
}
