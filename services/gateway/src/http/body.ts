import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { GatewayError } from "../errors.ts";

/** JSON nested deeper than this is refused before it is parsed. */
const MAX_DEPTH = 32;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * Reads a JSON body. The API takes one media type and one encoding, so this replaces a general body parser.
 * @throws GatewayError unsupported_media_type, payload_too_large, invalid_json, invalid_request (nested too deeply)
 */
export async function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  limitBytes: number,
): Promise<unknown> {
  try {
    return parsed(await readAll(req, limitBytes));
  } catch (error) {
    // The rest of the body is not read, so the connection cannot be used again.
    if (!req.complete) res.setHeader("connection", "close");
    throw error;
  }
}

/** Rejects what the headers rule out. It does not throw, so that a body that came with the headers is complete when the error is sent. */
function readAll(req: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const { "content-type": type = "", "content-encoding": encoding = "identity" } = req.headers;
    if (!JSON_TYPE.test(type) || encoding !== "identity") {
      reject(new GatewayError("unsupported_media_type"));
      return;
    }
    if (Number(req.headers["content-length"] ?? 0) > limitBytes) {
      reject(new GatewayError("payload_too_large"));
      return;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    req.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limitBytes) {
        req.removeAllListeners("data").pause();
        reject(new GatewayError("payload_too_large"));
      } else chunks.push(chunk);
    });
    req.on("end", () => {
      const [only] = chunks;
      resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks, bytes));
      // The request object lives as long as its answer, which may be a stream, and would keep the body's bytes.
      chunks.length = 0;
    });
    req.on("error", () => reject(new GatewayError("invalid_request")));
  });
}

function parsed(body: Buffer): unknown {
  if (!isUtf8(body)) throw new GatewayError("invalid_json");
  if (depthOf(body, MAX_DEPTH) > MAX_DEPTH) {
    throw new GatewayError("invalid_request", "The body is nested too deeply.");
  }
  try {
    return JSON.parse(body.toString());
  } catch {
    // The parser's own words quote the body.
    throw new GatewayError("invalid_json");
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** How deep the JSON text nests; stops counting past `limit`. Brackets inside strings do not count. */
export function depthOf(json: Uint8Array, limit: number): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      for (at++; at < json.length && json[at] !== QUOTE; at++) if (json[at] === BACKSLASH) at++;
    } else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > deepest) deepest = depth;
      if (deepest > limit) return deepest;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return deepest;
}
