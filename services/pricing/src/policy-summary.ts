import type { Format } from "./format.ts";
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
export function policySummary(
  items: number,
  format: Format,
  current: PolicyVerdict,
  proposed?: PolicyVerdict,
): string {
  if (proposed === undefined)
    return [...verdict(`The prices of ${format.counted(items, "item", "items")}`, current, format)].join(" ");
  const before = current.passed
    ? "Today's prices keep them too."
    : `Today's prices break them ${found(current, format)}.`;
  return [
    ...verdict(`The proposed prices of ${format.counted(items, "item", "items")}`, proposed, format),
    before,
  ].join(" ");
}

function* verdict(subject: string, judged: PolicyVerdict, format: Format): Generator<string> {
  if (judged.passed) {
    yield `${subject} keep all rules.`;
    return;
  }
  yield `${subject} break the rules ${found(judged, format)}.`;
  const changes = judged.suggestions.length;
  if (changes > 0)
    yield `${format.counted(changes, "price change fixes", "price changes fix")} this with the least joint change.`;
  const stuck = new Set(judged.conflicts.filter(({ resolved }) => !resolved).map(({ item_id }) => item_id))
    .size;
  if (stuck > 0)
    yield `${format.counted(stuck, "item has", "items have")} no fix, because the rules contradict each other.`;
  const released = judged.conflicts.filter(({ resolved }) => resolved).length;
  if (released > 0) yield `${format.counted(released, "anchor", "anchors")} had to be released.`;
}

function found({ violations }: PolicyVerdict, format: Format): string {
  const counts = new Map<ViolationType, number>();
  for (const { type } of violations) counts.set(type, (counts.get(type) ?? 0) + 1);
  const parts = [...counts].map(([type, number]) => format.counted(number, ...VIOLATION_WORDS[type]));
  const times = violations.length === 1 ? "once" : `${format.count(violations.length)} times`;
  return `${times}: ${parts.join(", ")}`;
}
