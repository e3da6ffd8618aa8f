/**
 * The value at an index that the caller keeps in range. An index out of range is a bug: it throws, because an
 * undefined cost would silently turn into NaN.
 * @throws RangeError
 */
export function at<T>(values: ArrayLike<T>, i: number): T {
  const value = values[i];
  if (value === undefined) throw new RangeError("index out of range");
  return value;
}

/** The values of a function at 0 to length − 1. `Float64Array.from` takes several times as long. */
export function tabulate(length: number, of: (i: number) => number): Float64Array {
  const values = new Float64Array(length);
  for (let i = 0; i < length; i++) values[i] = of(i);
  return values;
}
