import { checkAborted, ignore } from "./abort.ts";
import { InterlockError } from "./errors.ts";

/**
 * Reads a whole body as text.
 * @throws InterlockError response_invalid if the body is too large or not UTF-8; AbortedError; the error of a
 *   failed connection as it is
 */
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  // Cancelling settles a pending read at once, even if a custom fetch ignores the signal of its request.
  const cancel = (): void => void reader.cancel().catch(ignore);
  signal.addEventListener("abort", cancel, { once: true });
  let text = "";
  let bytes = 0;
  try {
    for (;;) {
      checkAborted(signal);
      const { done, value } = await reader.read();
      checkAborted(signal);
      if (done) return text + decode(decoder);
      bytes += value.byteLength;
      if (bytes > maxBytes) throw new InterlockError("response_invalid", "The answer is too large.");
      text += decode(decoder, value);
    }
  } catch (error) {
    cancel();
    throw error;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw new InterlockError("response_invalid", "The answer is not UTF-8.");
  }
}
