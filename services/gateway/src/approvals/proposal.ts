import { createHash } from "node:crypto";

/**
 * JSON with the names of every object in code point order and no white space: the same value always gives the same text (the idea of
 * RFC 8785, for values that came through JSON.parse).
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined && typeof member !== "function")
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** What a decision is bound to: the run, the step, and exactly the proposal that the approver saw. */
export function proposalHash(runId: string, step: string, proposal: unknown): string {
  return sha256(canonicalJson({ run: runId, step, proposal }));
}
