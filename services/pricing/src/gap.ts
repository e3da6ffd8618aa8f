/**
 * The minimum gap between a tier and the next lower one: lower ≤ higher·(1 − share) and lower ≤ higher − amount
 * (money). A number is a share. What is absent comes from the next level of rules, and is 0 at last.
 */
export type MinGap = number | { readonly share?: number; readonly amount?: number };

export type Gap = { readonly share: number; readonly amount: number };

/** Both parts of a gap, each from the first level that has it. */
export function gapOf(...levels: readonly (MinGap | undefined)[]): Gap {
  let share: number | undefined;
  let amount: number | undefined;
  for (const level of levels) {
    share ??= typeof level === "number" ? level : level?.share;
    amount ??= typeof level === "number" ? undefined : level?.amount;
  }
  return { share: share ?? 0, amount: amount ?? 0 };
}

/** The first gap, with what it does not say from the second. */
export function merged(first: MinGap | undefined, second: MinGap): MinGap {
  const parts = (gap: MinGap = {}) => (typeof gap === "number" ? { share: gap } : gap);
  return { ...parts(second), ...parts(first) };
}

/** The shortest way to state a gap: a share alone is a number. */
export function stated({ share, amount }: Gap): MinGap {
  return amount === 0 ? share : { share, amount };
}

/** The highest price of the lower tier. */
export function mostUnder({ share, amount }: Gap, higher: number): number {
  return Math.min(higher * (1 - share), higher - amount);
}

/** The lowest price of the higher tier. */
export function leastOver({ share, amount }: Gap, lower: number): number {
  return Math.max(lower / (1 - share), lower + amount);
}
