import { createHash } from "node:crypto";

/** Hash of outputs and success, regardless of the order of names. Undefined if the body is not an answer. */
export function answerDigest(body: Buffer): string | undefined {
  try {
    const { status, ok, outputs } = JSON.parse(body.toString("utf8"));
    return createHash("sha256")
      .update(JSON.stringify([status, ok, outputs], inOrder))
      .digest("base64");
  } catch {
    return undefined;
  }
}

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
