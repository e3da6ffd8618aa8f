export { at } from "./at.ts";
export { leastSquares } from "./least-squares.ts";
export { normalCdf } from "./normal.ts";
export { quantile } from "./quantile.ts";
export { makeRng, type Rng } from "./rng.ts";
export { tQuantile } from "./student-t.ts";
