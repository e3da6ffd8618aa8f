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
