/** Decimals after the point that amounts are kept with. Bills have prices of a request in a billionth of a dollar. */
export const SCALE = 12;
const UNIT = 10n ** BigInt(SCALE);
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** A decimal as the database prints it, in units of 10^-12, so that sums are exact. */
export function unitsOf(text: string): bigint {
  const [, sign, whole = "0", fraction = ""] = DECIMAL.exec(text) ?? [];
  if (sign === undefined || fraction.length > SCALE) throw new TypeError("not a decimal of the database");
  const units = BigInt(whole) * UNIT + BigInt(fraction.padEnd(SCALE, "0"));
  return sign === "-" ? -units : units;
}

/** The nearest double. */
export function numberOf(units: bigint): number {
  const digits = (units < 0n ? -units : units).toString().padStart(SCALE + 1, "0");
  return Number(`${units < 0n ? "-" : ""}${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`);
}

/**
 * Percentages with one decimal that add up to exactly 100.0, by the largest remainder.
 * @returns undefined where the total is 0, so that nothing has a share of it
 */
export function percentages(parts: readonly bigint[]): number[] | undefined {
  const total = parts.reduce((sum, part) => sum + part, 0n);
  if (total === 0n) return undefined;
  const [sign, size] = total < 0n ? [-1n, -total] : [1n, total];
  const exact = parts.map((part) => part * sign * 1000n);
  const floors = exact.map((part) => part / size - (part % size < 0n ? 1n : 0n));
  const remainders = exact.map((part, index) => part - (floors[index] ?? 0n) * size);
  const missing = Number(1000n - floors.reduce((sum, floor) => sum + floor, 0n));
  const rounded = remainders
    .map((remainder, index) => ({ remainder, index }))
    .sort((one, other) => (one.remainder === other.remainder ? 0 : one.remainder > other.remainder ? -1 : 1))
    .slice(0, missing);
  for (const { index } of rounded) floors[index] = (floors[index] ?? 0n) + 1n;
  return floors.map((tenths) => Number(tenths) / 10);
}
