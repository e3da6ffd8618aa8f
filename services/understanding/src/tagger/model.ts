import { readFileSync } from "node:fs";

/** Weights of hashed features by label. Most are zero. */
export type Model = {
  /** A power of two of them. */
  weights: Int8Array | Float32Array;
  /** What one step of a weight is worth. */
  scale: number;
  /** Bits of a hash that are no place of a weight. */
  shift: number;
};

const MAGIC = 0x314d5549;
const HEADER = 16;

/** Reads a model: the places of its weights as gaps, each with its weight in one byte. */
export function parseModel(bytes: Uint8Array): Model {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < HEADER || view.getUint32(0, true) !== MAGIC)
    throw new Error("This is no model of the tagger.");
  const bits = view.getUint32(4, true);
  const scale = view.getFloat32(8, true);
  const count = view.getUint32(12, true);
  const weights = new Int8Array(2 ** bits);
  let at = HEADER;
  let place = -1;
  for (let i = 0; i < count; i++) {
    let gap = 0;
    let byte = 0;
    let power = 0;
    do {
      byte = bytes[at++] ?? 0;
      gap |= (byte & 127) << power;
      power += 7;
    } while (byte & 128);
    place += gap;
    weights[place] = ((bytes[at++] ?? 0) << 24) >> 24;
  }
  return { weights, scale, shift: 32 - bits };
}

/** Writes the largest weights, in one byte each. @param most how many */
export function formatModel(weights: Float32Array, most: number): Uint8Array {
  const sizes = weights
    .map(Math.abs)
    .filter((size) => size > 0.01)
    .sort();
  const least = sizes[Math.max(0, sizes.length - most)] ?? 0;
  const scale = Math.min(sizes.at(-1) ?? 1, 4) / 127;
  const bytes: number[] = [];
  let count = 0;
  let last = -1;
  for (const [place, weight] of weights.entries()) {
    const step = Math.max(-127, Math.min(127, Math.round(weight / scale)));
    if (Math.abs(weight) < least || step === 0) continue;
    let gap = place - last;
    last = place;
    while (gap > 127) {
      bytes.push((gap & 127) | 128);
      gap >>>= 7;
    }
    bytes.push(gap, step & 255);
    count++;
  }
  const out = new Uint8Array(HEADER + bytes.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, Math.log2(weights.length), true);
  view.setFloat32(8, scale, true);
  view.setUint32(12, count, true);
  out.set(bytes, HEADER);
  return out;
}

/** The model that ships with the library. */
export const loadTagger = (file: URL | string = new URL("../../models/tagger.bin", import.meta.url)): Model =>
  parseModel(readFileSync(file));
