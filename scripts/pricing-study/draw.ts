import { makeRng } from "@interlock/pricing";
import { normalQuantile } from "../../services/pricing/src/normal.ts";

export type Draw = { normal(): number; uniform(): number; poisson(mean: number): number };

/** Random numbers of one simulated world: the same seed and name give the same world. */
export function makeDraw(seed: number, name: string): Draw {
  const uniform = makeRng(seed, name);
  const normal = () => normalQuantile(uniform());
  return {
    uniform,
    normal,
    poisson(mean) {
      // Products of uniforms (Knuth) for small means; sums of such for large ones, which is exact too.
      let count = 0;
      for (let left = mean; left > 0; left -= 30) {
        const floor = Math.exp(-Math.min(left, 30));
        for (let product = uniform(); product > floor; product *= uniform()) count += 1;
      }
      return count;
    },
  };
}
