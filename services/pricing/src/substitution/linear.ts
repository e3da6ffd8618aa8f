import { at } from "../at.ts";

/** Solves the symmetric positive definite system A·x = b for several b, by Cholesky; undefined if A is singular. */
export function solveAll(
  matrix: readonly (readonly number[])[],
  sides: readonly (readonly number[])[],
): number[][] | undefined {
  const size = matrix.length;
  const root: number[][] = [];
  for (let i = 0; i < size; i++) {
    const row = new Array<number>(size).fill(0);
    root.push(row);
    for (let j = 0; j <= i; j++) {
      let value = at(at(matrix, i), j);
      for (let k = 0; k < j; k++) value -= at(row, k) * at(at(root, j), k);
      if (j < i) {
        row[j] = value / at(at(root, j), j);
      } else {
        if (!(value > 1e-14 * Math.abs(at(at(matrix, i), i)))) return undefined;
        row[i] = Math.sqrt(value);
      }
    }
  }
  return sides.map((side) => {
    const x = side.slice();
    for (let i = 0; i < size; i++) {
      for (let k = 0; k < i; k++) x[i] = at(x, i) - at(at(root, i), k) * at(x, k);
      x[i] = at(x, i) / at(at(root, i), i);
    }
    for (let i = size - 1; i >= 0; i--) {
      for (let k = i + 1; k < size; k++) x[i] = at(x, i) - at(at(root, k), i) * at(x, k);
      x[i] = at(x, i) / at(at(root, i), i);
    }
    return x;
  });
}
