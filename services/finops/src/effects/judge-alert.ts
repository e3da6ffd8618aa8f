import type { AboutData } from "../data/index.ts";
import { type PeriodAsked, periodAhead } from "../periods/period.ts";
import { spokenPeriod } from "../periods/spoken.ts";
import { callersFilters, type RowFilters } from "../query/filters.ts";
import type { Filter } from "../query/types.ts";
import type { Constraint } from "../said/constraint.ts";
import { sharesInQuestion, timesInQuestion } from "../said/question.ts";
import type { Alert } from "./alert.ts";
import { type Judgement, judgementOf, unknown, type Verdict, verdict, withoutBearing } from "./verdict.ts";

type Asked = {
  readonly constraints: readonly Constraint[];
  readonly question?: string | undefined;
  readonly proposed: readonly Alert[];
};
type Known = Pick<AboutData, "first_day" | "last_day" | "tag_keys">;

/**
 * Judges whether a budget is exactly what was said: its scope, amount, days and thresholds, and no limit besides. Reads the object itself and
 * shares no code with what proposes it but that for days.
 * @param rows what the caller is held to: the scope must be, too
 */
export function judgeAlert(
  { constraints, question = "", proposed }: Asked,
  about: Known,
  rows?: RowFilters,
): Judgement {
  const [alert, ...more] = proposed;
  if (alert === undefined || more.length > 0)
    return judgementOf([{ slot: "proposed", verdict: "broken", message: "It is not one budget." }]);
  // A time with a number stands in the message, and replaces the slot that could not hold it.
  const { period: inWords } = timesInQuestion(question, about, true);
  const verdicts = constraints.map((one) => judge(one, { alert, about, inWords, question }));
  if (inWords !== undefined && !constraints.some(({ slot }) => slot === "period"))
    verdicts.push(isOf(alert, inWords, about));
  return judgementOf([...verdicts, ...unsaid(alert, constraints, about, callersFilters(rows))]);
}

/** Of questions, and of savings. */
const WITHOUT_BEARING = ["metric", "compare_to", "order", "top", "saving_kind"];

type Judging = {
  readonly alert: Alert;
  readonly about: Known;
  readonly inWords: PeriodAsked | undefined;
  readonly question: string;
};

function judge(constraint: Constraint, { alert, about, inWords, question }: Judging): Verdict {
  const { slot, op, value, unit, scope } = constraint;
  if (scope !== undefined && Object.keys(scope).length > 0) return unknown(slot);
  if (WITHOUT_BEARING.includes(slot)) return withoutBearing(slot);
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const isCleared = op === "clear";
  switch (slot) {
    case "budget": {
      const isOwn =
        unit === undefined || !/^[A-Za-z]{3}$/.test(unit) || unit.toUpperCase() === alert.currency;
      return verdict(slot, isCleared || (single === alert.amount && isOwn), "The amount is another one.");
    }
    case "alert_at": {
      // A slot holds one share: others that were said with it stand in the message.
      const inWords = sharesInQuestion(question);
      const said = inWords.includes(Number(single)) ? inWords : [single];
      const shares = alert.thresholds.map(({ share }) => share);
      return verdict(slot, isCleared || setOf(shares) === setOf(said), "It tells at other shares.");
    }
    case "group_by": {
      const grain = String(single).replace(/^by[_ ]/, "");
      return verdict(slot, isCleared || grain === alert.period.every, "It repeats by something else.");
    }
    case "period": {
      const spoken = spokenPeriod(String(single).replaceAll("_", " "), about.last_day, true);
      const days = inWords ?? spoken ?? String(single).replaceAll(" ", "_");
      return isCleared ? verdict(slot, true, "") : isOf(alert, days, about);
    }
    default: {
      const field = fieldOf(slot, about);
      if (field === undefined) return unknown(slot);
      const isKept = isCleared
        ? alert.filter.every((one) => one.field !== field || one.exactly === true)
        : alert.filter.some((one) => isFilterOf(one, field, constraint));
      return verdict(slot, isKept, "The scope is not what was said.");
    }
  }
}

function isOf({ period }: Alert, days: PeriodAsked, about: Known): Verdict {
  const otherwise = "It is of other days.";
  try {
    const { from, to } = periodAhead(days, about);
    return verdict("period", period.from === from && period.to === to, otherwise);
  } catch {
    return verdict("period", false, "It is of days that are over, or of none.");
  }
}

const FIELDS = [
  "provider",
  "service",
  "category",
  "region",
  "account",
  "resource",
  "resource_type",
  "charge",
];
const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "_");

/** What a slot selects by; undefined for one that selects nothing. */
export function fieldOf(slot: string, { tag_keys }: Pick<AboutData, "tag_keys">): string | undefined {
  if (FIELDS.includes(slot)) return slot;
  const key = tag_keys.find((one) => plain(one) === plain(slot.replace(/^tag:/, "")));
  return key === undefined ? undefined : `tag:${key}`;
}

const setOf = (values: readonly unknown[]): string =>
  JSON.stringify([...new Set(values.map((one) => String(one).toLowerCase()))].sort());

function isFilterOf(filter: Filter, field: string, { op, value }: Constraint): boolean {
  const way = op === "except" ? "except" : "only";
  return filter.field === field && filter.op === way && setOf(filter.values) === setOf([value].flat());
}

/** A scope that is narrower than what was said, or wider than what the caller may see; days and amounts that nobody asked for. */
function unsaid(
  { filter, period, amount }: Alert,
  constraints: readonly Constraint[],
  about: Known,
  held: readonly Filter[],
): Verdict[] {
  const isSame = (a: Filter, b: Filter) =>
    a.field === b.field && a.op === b.op && JSON.stringify(a.values) === JSON.stringify(b.values);
  const own = filter.filter((one) => !held.some((other) => isSame(one, other)));
  const isSaid = (one: Filter) =>
    constraints.some((said) => {
      const field = fieldOf(said.slot, about);
      return field !== undefined && isFilterOf(one, field, said);
    });
  const narrower = own.filter((one) => !isSaid(one));
  const wider = held.filter((one) => !filter.some((other) => isSame(one, other)));
  return [
    ...narrower.map(({ field }) => verdict(field, false, "Nobody said that it is of these alone.")),
    ...wider.map(({ field }) => verdict(field, false, "It is of more than the caller may see.")),
    ...(amount > 0 && Number.isFinite(amount) ? [] : [verdict("budget", false, "The amount is none.")]),
    ...(period.every === undefined && (period.from === undefined || period.to === undefined)
      ? [verdict("period", false, "It is of no days.")]
      : []),
  ];
}
