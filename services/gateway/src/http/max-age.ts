import type { IncomingMessage } from "node:http";
import { headerOf } from "./request.ts";

/** What a request's Cache-Control says of kept results. @returns milliseconds that one may be old; undefined where it says nothing */
export function maxAgeOf(req: Pick<IncomingMessage, "headers">): number | undefined {
  const header = headerOf(req, "cache-control");
  if (header === undefined) return undefined;
  const words = header
    .toLowerCase()
    .split(",")
    .map((word) => word.trim());
  if (words.includes("no-cache") || words.includes("no-store")) return 0;
  for (const word of words) {
    const [, seconds] = /^max-age="?(\d{1,9})"?$/.exec(word) ?? [];
    if (seconds !== undefined) return 1_000 * Number(seconds);
  }
  return undefined;
}
