import { isUtf8 } from "node:buffer";
import { Defect } from "./defect.ts";

const NOTHING = Buffer.alloc(0);

/**
 * Decodes a stream of bytes strictly: bytes that are not UTF-8 are a Defect instead of U+FFFD. A BOM stays.
 * One native check and one native decode a chunk; a character split by a chunk's edge takes the longer way.
 */
export class Utf8Decoder {
  #rest: Buffer = NOTHING;

  decode(chunk: Buffer): string {
    if (this.#rest.length === 0 && isUtf8(chunk)) return chunk.toString("utf8");
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = bytes.length - unfinished(bytes);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) throw new Defect("invalid_utf8");
    // A copy: a view would keep the whole chunk alive for three bytes.
    this.#rest = end === bytes.length ? NOTHING : Buffer.from(bytes.subarray(end));
    return whole.toString("utf8");
  }

  end(): void {
    if (this.#rest.length > 0) throw new Defect("invalid_utf8");
  }
}

/** How many bytes at the end begin a character that is not there in full: 0 to 3. */
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
