/**
 * The t with P(|T| ≤ t) = `level` for Student's t with `df` ≥ 1 degrees of freedom, which need not be whole. Exact
 * for 1 and 2, else by bisection of the distribution, whose density is integrated by Simpson's rule in θ = atan(x/√df):
 * P(|T| ≤ t) = c·∫ cos(θ)^(df−1) dθ over [0, atan(t/√df)], and c is 1 over the same integral up to π/2.
 */
export function tQuantile(level: number, df: number): number {
  if (df === 1) return Math.tan((Math.PI / 2) * level);
  if (df === 2) return level * Math.sqrt(2 / (1 - level * level));
  const density = (theta: number) => Math.cos(theta) ** (df - 1);
  const whole = simpson(density, Math.PI / 2);
  let [low, high] = [0, Math.PI / 2];
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (simpson(density, middle) < level * whole) low = middle;
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
