/** A column counts as collinear with earlier ones if orthogonalisation leaves no more than this share of its norm. */
const RANK_TOLERANCE = 1e-8;

/**
 * Coefficients of the least-squares fit of y on the columns, by QR (modified Gram–Schmidt, orthogonalised twice, as
 * stable as Householder QR). A column that is 0 or collinear with earlier ones gets 0.
 * @param columns each as long as y
 */
export function leastSquares(columns: readonly Float64Array[], y: Float64Array): number[] {
  const basis: { readonly q: Float64Array; readonly shares: readonly number[]; readonly column: number }[] =
    [];
  columns.forEach((values, column) => {
    const q = values.slice();
    const before = Math.sqrt(dot(q, q));
    const shares = basis.map(() => 0);
    for (let pass = 0; pass < 2; pass++) {
      basis.forEach((other, k) => {
        const share = dot(other.q, q);
        shares[k] = (shares[k] ?? 0) + share;
        subtract(q, other.q, share);
      });
    }
    const after = Math.sqrt(dot(q, q));
    if (!(after > RANK_TOLERANCE * before)) return;
    for (let r = 0; r < q.length; r++) q[r] = (q[r] ?? 0) / after;
    basis.push({ q, shares: [...shares, after], column });
  });
  const rest = y.slice();
  const solution = basis.map(({ q }) => {
    const share = dot(q, rest);
    subtract(rest, q, share);
    return share;
  });
  const coefficients = columns.map(() => 0);
  for (let i = basis.length - 1; i >= 0; i--) {
    let value = solution[i] ?? 0;
    for (let j = i + 1; j < basis.length; j++) value -= (basis[j]?.shares[i] ?? 0) * (solution[j] ?? 0);
    solution[i] = value / (basis[i]?.shares[i] ?? 1);
    coefficients[basis[i]?.column ?? 0] = solution[i] ?? 0;
  }
  return coefficients;
}

function dot(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += (a[i] ?? 0) * (b[i] ?? 0);
  return total;
}

function subtract(from: Float64Array, column: Float64Array, weight: number): void {
  for (let i = 0; i < from.length; i++) from[i] = (from[i] ?? 0) - weight * (column[i] ?? 0);
}
