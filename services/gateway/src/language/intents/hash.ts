/** FNV-1a over code units. */
export const HASH_START = 0x811c9dc5 | 0;

export function hashUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** Bits of a feature's key. With some thousand features, about one unknown feature in 3,000 is taken for a known one. */
const KEY_BITS = 24;

/** Spreads a hash over all bits and cuts it to a key (MurmurHash3's finalizer). */
export function keyOf(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> (32 - KEY_BITS);
}

export function hashWord(word: string): number {
  let hash = HASH_START;
  for (let i = 0; i < word.length; i++) hash = hashUnit(hash, word.charCodeAt(i));
  return hash;
}

/** From keys to rows: open addressing in typed arrays, so that a look-up allocates nothing. */
export class KeyTable {
  /** Each key and its row beside it, so that a look-up reads one place of the memory. */
  readonly #entries: Int32Array;
  readonly #mask: number;

  /** Row i is that of `keys[i]`. */
  constructor(keys: ArrayLike<number>) {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(2, keys.length * 2)));
    this.#mask = capacity - 1;
    this.#entries = new Int32Array(2 * capacity).fill(-1);
    for (let row = 0; row < keys.length; row++) {
      const key = keys[row] ?? 0;
      let slot = key & this.#mask;
      while (this.#entries[2 * slot] !== -1) slot = (slot + 1) & this.#mask;
      this.#entries[2 * slot] = key;
      this.#entries[2 * slot + 1] = row;
    }
  }

  /** The key's row, or -1. */
  row(key: number): number {
    const entries = this.#entries;
    const mask = this.#mask;
    let slot = key & mask;
    for (;;) {
      const found = entries[2 * slot];
      if (found === key) return entries[2 * slot + 1] ?? -1;
      if (found === -1) return -1;
      slot = (slot + 1) & mask;
    }
  }
}
