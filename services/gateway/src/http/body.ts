import type { IncomingMessage, ServerResponse } from "node:http";
import { readJson } from "@interlock/contracts";
import { GatewayError } from "../errors.ts";

/** JSON that is nested deeper than this is refused. */
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
    return parse(await readAll(req, limitBytes));
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

const PROBLEMS = {
  not_utf8: () => new GatewayError("invalid_json"),
  not_json: () => new GatewayError("invalid_json"),
  too_deep: () => new GatewayError("invalid_request", "The body is nested too deeply."),
};

function parse(body: Buffer): unknown {
  const read = readJson(body, { maxDepth: MAX_DEPTH });
  if (read.ok) return read.value;
  throw PROBLEMS[read.problem]();
}
