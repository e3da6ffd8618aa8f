/**
 * The value at an index that the algorithm keeps in range. Arrays here hold prices and terms by position; a miss is a bug and
 * must not turn into NaN.
 */
export function at<T>(values: ArrayLike<T>, i: number): T {
  const value = values[i];
  if (value === undefined) throw new RangeError("index out of range");
  return value;
}
