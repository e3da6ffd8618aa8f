import { readFileSync } from "node:fs";
import { hashOf, mix } from "./hash.ts";

/** A set of words in few bits (a Bloom filter): each of its words is found, and of others the share that its size allows. */
export class WordFilter {
  readonly #bits: Uint8Array;
  readonly #hashes: number;

  /** @param hashes places that a word has */
  constructor(bits: Uint8Array, hashes: number) {
    this.#bits = bits;
    this.#hashes = hashes;
  }

  /** @param bitsPerWord 10 find one other word in a hundred, 32 less than one in a million */
  static of(words: readonly string[], bitsPerWord: number): WordFilter {
    const bits = new Uint8Array(Math.ceil((words.length * bitsPerWord) / 8));
    const filter = new WordFilter(bits, Math.round(bitsPerWord * Math.LN2));
    for (const word of words)
      filter.#every(word, (byte, bit) => {
        bits[byte] = (bits[byte] ?? 0) | bit;
        return true;
      });
    return filter;
  }

  has(word: string): boolean {
    return this.#every(word, (byte, bit) => ((this.#bits[byte] ?? 0) & bit) !== 0);
  }

  /** Goes through the places of a word until one is not as it should be. */
  #every(word: string, is: (byte: number, bit: number) => boolean): boolean {
    const first = hashOf(word);
    const step = mix(first, 0x27d4eb2f) | 1;
    for (let i = 0; i < this.#hashes; i++) {
      const place = ((first + Math.imul(i, step)) >>> 0) % (this.#bits.length * 8);
      if (!is(place >> 3, 1 << (place & 7))) return false;
    }
    return true;
  }

  /** Its number of hashes and its size, four bytes each, then its bits. */
  get bytes(): Uint8Array {
    const out = new Uint8Array(HEADER + this.#bits.length);
    const view = new DataView(out.buffer);
    view.setUint32(0, this.#hashes, true);
    view.setUint32(4, this.#bits.length, true);
    out.set(this.#bits, HEADER);
    return out;
  }

  /** @returns the filter and the bytes behind it */
  static read(bytes: Uint8Array): [WordFilter, Uint8Array] {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const end = HEADER + view.getUint32(4, true);
    return [new WordFilter(bytes.subarray(HEADER, end), view.getUint32(0, true)), bytes.subarray(end)];
  }
}

const HEADER = 8;

/** English words. `frequent` are some ten thousand of which everybody knows the spelling. */
export type OrdinaryWords = { frequent: WordFilter; all: WordFilter };

export function readOrdinaryWords(bytes: Uint8Array): OrdinaryWords {
  const [frequent, rest] = WordFilter.read(bytes);
  return { frequent, all: WordFilter.read(rest)[0] };
}

let shipped: OrdinaryWords | undefined;

/** Those that ship with the library. */
export const ordinaryWords = (): OrdinaryWords =>
  (shipped ??= readOrdinaryWords(readFileSync(new URL("../../models/words.bin", import.meta.url))));
