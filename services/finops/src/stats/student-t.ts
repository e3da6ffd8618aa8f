/**
 * P(T ≤ x) for Student's t with `df` ≥ 1 degrees of freedom, which need not be whole: with θ = atan(x/√df) it is
 * ½ + c·∫ cos(u)^(df−1) du over [0, θ], where c is ½ over the same integral up to π/2, by Simpson's rule.
 */
export function tCdf(x: number, df: number): number {
  const density = (theta: number) => Math.cos(theta) ** (df - 1);
  return 0.5 + simpson(density, Math.atan(x / Math.sqrt(df))) / (2 * simpson(density, Math.PI / 2));
}

/** The t with P(|T| ≤ t) = `level`, by bisection. */
export function tQuantile(level: number, df: number): number {
  let [low, high] = [0, Math.PI / 2];
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (2 * tCdf(Math.sqrt(df) * Math.tan(middle), df) - 1 < level) low = middle;
    else high = middle;
  }
  return Math.sqrt(df) * Math.tan(low);
}

function simpson(f: (x: number) => number, end: number): number {
  const pieces = 200;
  const width = end / pieces;
  let sum = f(0) + f(end);
  for (let i = 1; i < pieces; i++) sum += (i % 2 === 0 ? 2 : 4) * f(i * width);
  return (sum * width) / 3;
}
