import { isUtf8 } from "node:buffer";
import { Defect } from "./defect.ts";

const NOTHING = Buffer.alloc(0);

/**
 * Strict streaming UTF-8 decoder: invalid bytes throw a Defect instead of becoming U+FFFD, and a byte order mark is
 * kept. Needs one native check and one native decode per chunk, unless a character is split between two chunks.
 */
export class Utf8Decoder {
  #rest: Buffer = NOTHING;

  decode(chunk: Buffer): string {
    if (this.#rest.length === 0 && isUtf8(chunk)) return chunk.toString("utf8");
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = bytes.length - unfinished(bytes);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) throw new Defect("invalid_utf8");
    // Copied, because a view would keep the whole chunk in memory for at most three bytes.
    this.#rest = end === bytes.length ? NOTHING : Buffer.from(bytes.subarray(end));
    return whole.toString("utf8");
  }

  end(): void {
    if (this.#rest.length > 0) throw new Defect("invalid_utf8");
  }
}

/** Number of bytes at the end, 0 to 3, that start an incomplete character. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return size > back ? back : 0;
    }
  }
  return 0;
}
