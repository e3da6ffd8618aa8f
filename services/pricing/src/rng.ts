/** A stream of independent uniform numbers in (0, 1). */
export type Rng = () => number;

/**
 * xoshiro128** (Blackman and Vigna 2018), seeded through splitmix32 so that similar seeds give unrelated
 * streams. Each number has 53 bits from two outputs and is never 0 or 1. Period 2^128 − 1. Not for secrets.
 * @param seed an integer
 * @param name selects one of many independent streams under the seed
 */
export function makeRng(seed: number, name = ""): Rng {
  let mix = Math.imul(seed >>> 0, 0x9e3779b9) ^ Math.floor(seed / 2 ** 32);
  // Mix in the name by FNV-1a.
  for (let i = 0; i < name.length; i++) mix = Math.imul(mix ^ name.charCodeAt(i), 0x01000193);
  const next = () => {
    mix = (mix + 0x9e3779b9) | 0;
    let z = mix;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return z ^ (z >>> 16);
  };
  let [a, b, c, d] = [next(), next(), next(), next() | 1];
  const bits = () => {
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result;
  };
  return () => ((bits() >>> 5) * 2 ** 26 + (bits() >>> 6) + 0.5) / 2 ** 53;
}
