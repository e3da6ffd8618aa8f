/** A decimal number, exactly: units / 10^scale. Money is never a float on its way. */
export type Decimal = { readonly units: bigint; readonly scale: number };

export const ONE: Decimal = { units: 1n, scale: 0 };

export function whole(units: number | bigint): Decimal {
  return { units: BigInt(units), scale: 0 };
}

/** "12.50"; digits with at most one point. */
export function decimalOf(text: string): Decimal {
  const [integer = "0", fraction = ""] = text.split(".");
  return { units: BigInt(integer + fraction), scale: fraction.length };
}

export function times(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale };
}

export function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: atScale(a, scale) + atScale(b, scale), scale };
}

function atScale({ units, scale }: Decimal, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale);
}

/** The number in units of 10^-digits; undefined if it has more decimals than that. */
export function inMinor({ units, scale }: Decimal, digits: number): bigint | undefined {
  if (scale <= digits) return atScale({ units, scale }, digits);
  const excess = 10n ** BigInt(scale - digits);
  return units % excess === 0n ? units / excess : undefined;
}

/** Prints units of 10^-digits: 123450 with 2 digits is "1234.50". */
export function minorText(minor: bigint, digits: number): string {
  if (digits === 0) return String(minor);
  const text = String(minor).padStart(digits + 1, "0");
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
