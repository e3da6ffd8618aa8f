import { checkAborted, ignore } from "./abort.ts";
import { InterlockError } from "./errors.ts";

/**
 * The whole of a body as text.
 * @throws InterlockError response_invalid for one that is too large or not UTF-8; AbortedError; whatever the connection fails with
 */
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  // Cancelling ends a pending read at once, whether or not the body heeds the signal that its request was given.
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
