export { at, tabulate } from "./at.ts";
export { leastSquares } from "./least-squares.ts";
export { quantile } from "./quantile.ts";
export { makeRng, type Rng } from "./rng.ts";
export { tCdf, tQuantile } from "./student-t.ts";
