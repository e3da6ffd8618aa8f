import type { Format } from "./format.ts";
import type { PolicyVerdict, Violation, ViolationType } from "./policy-types.ts";

/** Violations that a summary lists, where nobody says how many. */
const MOST_LISTED = 40;
const MOST_NEW = 20;

export type AboutCheck = {
  readonly items: number;
  /** How many violations to list. */
  readonly top?: number | undefined;
  /** The proposed prices come from a price move. */
  readonly isMove?: boolean;
};

/** Summarises the violations and their fixes in a few sentences, and lists the violations, the worst first. */
export function policySummary(
  { items, top, isMove = false }: AboutCheck,
  format: Format,
  current: PolicyVerdict,
  proposed?: PolicyVerdict,
): string {
  if (isMove && proposed !== undefined) return moveSummary(current, proposed, format);
  const { policy: texts } = format.texts;
  const sentences = [...verdict(items, proposed ?? current, proposed !== undefined, format)];
  if (proposed !== undefined)
    sentences.push(current.passed ? texts.todayKeeps : texts.todayBreaks(found(current, format)));
  return [sentences.join(" "), ...listed((proposed ?? current).violations, top, format)].join("\n");
}

/** What a move of prices would break, and which of it is broken today as well. */
export function moveSummary(
  current: Pick<PolicyVerdict, "violations">,
  moved: Pick<PolicyVerdict, "violations">,
  format: Format,
): string {
  const { policy: texts } = format.texts;
  const broken = moved.violations;
  if (broken.length === 0) return texts.moveKeeps;
  const before = new Set(current.violations.map(ruleOf));
  const fresh = broken.filter((violation) => !before.has(ruleOf(violation)));
  return [texts.moveBreaks(broken.length, fresh.length), ...violationLines(fresh, MOST_NEW, format)].join(
    "\n",
  );
}

/** A line for each of the first violations, and one that counts the others. */
export function violationLines(violations: readonly Violation[], most: number, { texts }: Format): string[] {
  const lines = violations.slice(0, most).map(({ item_id, message }) => `- ${item_id}: ${message}`);
  return violations.length > most ? [...lines, texts.more(violations.length - most)] : lines;
}

function listed(violations: readonly Violation[], top: number | undefined, format: Format): string[] {
  const worst = violations.toSorted((a, b) => missing(b) - missing(a));
  if (top === undefined) return violationLines(worst, MOST_LISTED, format);
  const isCut = worst.length > top;
  const lines = violationLines(worst.slice(0, top), top, format);
  return isCut ? [format.texts.policy.worst(top), ...lines] : lines;
}

/** The gap that is missing, as a share of the higher price. */
function missing({ required_gap_pct: required, actual_gap_pct: actual }: Violation): number {
  return required === undefined || actual === undefined ? 0 : required - actual;
}

function ruleOf({ item_id, type, tiers }: Violation): string {
  return [item_id, type, ...tiers].join("\n");
}

function* verdict(
  items: number,
  judged: PolicyVerdict,
  proposed: boolean,
  format: Format,
): Generator<string> {
  const { policy: texts } = format.texts;
  if (judged.passed) {
    yield texts.keep(items, proposed);
    return;
  }
  yield texts.breaks(items, proposed, found(judged, format));
  const changes = judged.suggestions.length;
  if (changes > 0) yield texts.fixes(changes);
  const stuck = new Set(judged.conflicts.filter(({ resolved }) => !resolved).map(({ item_id }) => item_id))
    .size;
  if (stuck > 0) yield texts.stuck(stuck);
  const released = judged.conflicts.filter(({ resolved }) => resolved).length;
  if (released > 0) yield texts.released(released);
}

function found({ violations }: PolicyVerdict, { texts }: Format): string {
  const counts = new Map<ViolationType, number>();
  for (const { type } of violations) counts.set(type, (counts.get(type) ?? 0) + 1);
  const parts = [...counts].map(([type, number]) => texts.policy.violations(type, number));
  return texts.policy.found(violations.length, parts);
}
