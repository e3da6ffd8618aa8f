/** A stream of independent uniform numbers in [0, 1). */
export type Rng = () => number;

/**
 * sfc32 (Doty-Humphrey, PractRand), whose counter makes every period at least 2^32; 53 bits from two outputs. The
 * first outputs are discarded, so that similar seeds give unrelated streams. Not for secrets.
 * @param seed an integer
 */
export function makeRng(seed: number): Rng {
  let [a, b, c, counter] = [seed | 0, Math.floor(seed / 2 ** 32) | 0, 0x9e3779b9, 1];
  const bits = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 20; i++) bits();
  return () => ((bits() >>> 5) * 2 ** 26 + (bits() >>> 6)) / 2 ** 53;
}
