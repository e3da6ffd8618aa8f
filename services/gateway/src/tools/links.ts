import type { ResourceContent, ToolContent } from "./result.ts";
import { ToolError, type ToolErrorCode } from "./tool-error.ts";

/** Links of one result that are read. */
const MOST_LINKS = 8;

export type LinkReading = {
  /** Reads a resource at the server that has named it, and nowhere else. @throws ToolError; the reason of the signal */
  read: (uri: string, signal: AbortSignal) => Promise<readonly ResourceContent[]>;
  /** Bytes that all of them may have. */
  maxBytes: number;
  /** Milliseconds that all of them may take. */
  timeoutMs: number;
  signal: AbortSignal;
};

/**
 * Puts what links lead to behind them, as if the server had embedded it. A call that was made has its result, whatever becomes of its links:
 * one that cannot be read says why.
 * @throws the reason of the signal
 */
export async function withLinked(
  content: readonly ToolContent[],
  { read, maxBytes, timeoutMs, signal }: LinkReading,
): Promise<readonly ToolContent[]> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const inTime = AbortSignal.any([signal, timeout]);
  const known = new Set<string>();
  const whole: ToolContent[] = [];
  let left = maxBytes;
  for (const one of content) {
    whole.push(one);
    if (one.type !== "link" || known.has(one.uri)) continue;
    known.add(one.uri);
    try {
      if (known.size > MOST_LINKS || left <= 0) throw new ToolError("result_too_large");
      const resources = await read(one.uri, inTime);
      const bytes = resources.reduce((sum, resource) => sum + bytesOf(resource), 0);
      if (bytes > left) throw new ToolError("result_too_large");
      left -= bytes;
      whole.push(...resources);
    } catch (error) {
      signal.throwIfAborted();
      whole[whole.length - 1] = { ...one, unread: codeOf(error, timeout) };
    }
  }
  return whole;
}

function codeOf(error: unknown, timeout: AbortSignal): ToolErrorCode {
  if (timeout.aborted) return "timeout";
  if (error instanceof ToolError) return error.code;
  throw error;
}

function bytesOf({ text = "", blob = "" }: ResourceContent): number {
  return Buffer.byteLength(text) + Buffer.byteLength(blob, "base64");
}
