import type { PolicyVerdict, ViolationType } from "./policy-types.ts";

const VIOLATION_WORDS: Readonly<Record<ViolationType, readonly [one: string, many: string]>> = {
  hierarchy_inversion: ["hierarchy inversion", "hierarchy inversions"],
  insufficient_tier_margin: ["gap between tiers below its minimum", "gaps between tiers below their minimum"],
  invalid_price: ["invalid price", "invalid prices"],
  out_of_bounds: ["price out of bounds", "prices out of bounds"],
  below_minimum_margin: ["price below its minimum margin", "prices below their minimum margin"],
  above_maximum_change: ["change above the maximum", "changes above the maximum"],
};

/** Summarises the violations and their fixes in a few sentences. */
export function policySummary(items: number, current: PolicyVerdict, proposed?: PolicyVerdict): string {
  if (proposed === undefined)
    return [...verdict(`The prices of ${count(items, "item", "items")}`, current)].join(" ");
  const before = current.passed
    ? "Today's prices keep them too."
    : `Today's prices break them ${found(current)}.`;
  return [...verdict(`The proposed prices of ${count(items, "item", "items")}`, proposed), before].join(" ");
}

function* verdict(subject: string, judged: PolicyVerdict): Generator<string> {
  if (judged.passed) {
    yield `${subject} keep all rules.`;
    return;
  }
  yield `${subject} break the rules ${found(judged)}.`;
  const changes = judged.suggestions.length;
  if (changes > 0)
    yield `${count(changes, "price change fixes", "price changes fix")} this with the least joint change.`;
  const stuck = new Set(judged.conflicts.filter(({ resolved }) => !resolved).map(({ item_id }) => item_id))
    .size;
  if (stuck > 0)
    yield `${count(stuck, "item has", "items have")} no fix, because the rules contradict each other.`;
  const released = judged.conflicts.filter(({ resolved }) => resolved).length;
  if (released > 0) yield `${count(released, "anchor", "anchors")} had to be released.`;
}

function found({ violations }: PolicyVerdict): string {
  const counts = new Map<ViolationType, number>();
  for (const { type } of violations) counts.set(type, (counts.get(type) ?? 0) + 1);
  const parts = [...counts].map(([type, number]) => count(number, ...VIOLATION_WORDS[type]));
  const times = violations.length === 1 ? "once" : `${violations.length} times`;
  return `${times}: ${parts.join(", ")}`;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
