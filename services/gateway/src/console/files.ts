import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { headerOf } from "../http/index.ts";

/** A static file, the same for everybody until the process ends. */
export type StaticFile = {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string | number>>;
};

/** By their paths. */
export type Files = ReadonlyMap<string, StaticFile>;

/**
 * What pages may load: files of this origin and the API, nothing else. No page of another site may frame them, and what came from outside
 * cannot become markup, since scripts may put text into a page but no HTML. The one script in a page is the map of its modules, named by
 * its digest.
 */
const policyWith = (importMap: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'sha256-${createHash("sha256").update(importMap).digest("base64")}'`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");

/** A short digest of a file's content. */
export function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("base64url").slice(0, 16);
}

/** @param type of the content, with its charset */
export function staticFile(type: string, content: string | Buffer): StaticFile {
  const bytes = Buffer.from(content);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  return {
    bytes,
    headers: {
      // Cached but revalidated each time: replicas of two versions may serve one visitor.
      "cache-control": "no-cache",
      "content-type": type,
      "content-length": bytes.length,
      "cross-origin-resource-policy": "same-origin",
      etag,
      "x-content-type-options": "nosniff",
    },
  };
}

/** @param importMap the only script that may stand in the page itself */
export function staticPage(text: string, importMap: string): StaticFile {
  const { bytes, headers } = staticFile("text/html; charset=utf-8", text);
  const guards = {
    "content-security-policy": policyWith(importMap),
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
  };
  return { bytes, headers: { ...headers, ...guards } };
}

/** Sends a file, or 304 to a client that has it. */
export function sendFile(req: IncomingMessage, res: ServerResponse, { bytes, headers }: StaticFile): void {
  if (!has(headerOf(req, "if-none-match"), String(headers.etag))) {
    res.writeHead(200, headers).end(bytes);
    return;
  }
  const { "content-length": _, "content-type": __, ...kept } = headers;
  res.writeHead(304, kept).end();
}

function has(known: string | undefined, etag: string): boolean {
  return known?.split(",").some((one) => one.trim().replace(/^W\//, "") === etag) ?? false;
}
