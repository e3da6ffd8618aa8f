/** One number of a text. */
export type Figure = {
  /** Without its sign. */
  value: number;
  /** What the last printed digit stands for: a number is said as exactly as that. */
  step: number;
  /** As printed. */
  sign?: "+" | "-";
  /** What the words next to it, or farther away, say of a change. */
  near?: "+" | "-";
  far?: "+" | "-";
  /** `%`, `pp` (percentage points), a currency, another unit, or nothing. */
  unit: string;
  /** "A day", "per month": what the number is for. */
  per?: string;
  start: number;
  end: number;
};
