/**
 * The value at an index that the caller keeps in range. An index out of range is a bug: it throws, because an
 * undefined price would silently turn into NaN.
 * @throws RangeError
 */
export function at<T>(values: ArrayLike<T>, i: number): T {
  const value = values[i];
  if (value === undefined) throw new RangeError("index out of range");
  return value;
}

/** The values at these positions. A loop: `Float64Array.from` with a function takes ten times as long. */
export function gather(values: Float64Array, positions: ArrayLike<number>): Float64Array {
  const picked = new Float64Array(positions.length);
  for (let k = 0; k < picked.length; k++) picked[k] = values[positions[k] ?? 0] ?? 0;
  return picked;
}
