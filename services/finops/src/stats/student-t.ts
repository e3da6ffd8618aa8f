/**
 * P(T ≤ x) for Student's t with `df` ≥ 1 degrees of freedom, which need not be whole: with θ = atan(x/√df) it is
 * ½ + c·∫ cos(u)^(df−1) du over [0, θ], where c is ½ over the same integral up to π/2, by Simpson's rule.
 */
export function tCdf(x: number, df: number): number {
  return 0.5 + integral(Math.atan(x / Math.sqrt(df)), df) / (2 * integral(Math.PI / 2, df));
}

/** The t with P(|T| ≤ t) = `level`, by bisection. */
export function tQuantile(level: number, df: number): number {
  const wanted = level * integral(Math.PI / 2, df);
  let [low, high] = [0, Math.PI / 2];
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (integral(middle, df) < wanted) low = middle;
    else high = middle;
  }
  return Math.sqrt(df) * Math.tan(low);
}

function integral(end: number, df: number): number {
  const density = (theta: number) => Math.cos(theta) ** (df - 1);
  const pieces = 100;
  const width = end / pieces;
  let sum = density(0) + density(end);
  for (let i = 1; i < pieces; i++) sum += (i % 2 === 0 ? 2 : 4) * density(i * width);
  return (sum * width) / 3;
}
