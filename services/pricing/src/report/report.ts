import { says } from "../constraints/constraint.ts";
import { constraintLines } from "../constraints/words.ts";
import { type Format, formatFor } from "../format.ts";
import { moveSummary, violationLines } from "../policy-summary.ts";
import { priceTable, reasonsIn, type Table } from "../price-table.ts";
import type { ItemOutcome } from "../proposal-outcomes.ts";
import {
  noteLines,
  type PriceMove,
  priceLines,
  upsideLines,
  whatIfLine,
  wholeMove,
} from "../proposal-summary.ts";
import type { RulePack } from "../rule-pack.ts";
import { type SelectedPart, selectSteps } from "./selected.ts";
import type { Figures, PricingReport, ReportInputs, ShownReport } from "./types.ts";

/** Lines of a list about rules and failures. */
const MOST_LISTED = 20;

/**
 * Composes the review of a proposal from the answers of the other agents, for the part that the constraints select. Every figure is one of
 * theirs, or a sum of them; what they do not say is left out.
 */
export function pricingReport(inputs: ReportInputs, pack: RulePack): PricingReport {
  const steps = reportSteps(inputs, pack);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** `pricingReport` as a generator that yields after each item, so that callers can pause. */
export function* reportSteps(inputs: ReportInputs, pack: RulePack): Generator<void, PricingReport> {
  const format = formatFor(inputs);
  const part = yield* selectSteps(inputs, pack);
  const shown = shownOf(inputs, part);
  const summary = summaryOf(inputs, part, shown, format);
  return { summary, proposed: part.proposed, shown, tables: tablesOf(inputs, part, format) };
}

/** None where nothing is proposed. */
function tablesOf({ optimized }: ReportInputs, part: SelectedPart, format: Format): Table[] {
  const moves = movesOf(part.proposed, part.before);
  if (moves.length === 0) return [];
  const why = reasonsIn(optimized?.tables?.[0], format);
  return [
    priceTable(
      moves.map((move) => ({ ...move, why: why(move) })),
      format,
    ),
  ];
}

function shownOf({ optimized, checked, explained, tested }: ReportInputs, part: SelectedPart): ShownReport {
  const totals = totalsOf(optimized, part);
  const robustness = tested?.totals?.robustness;
  return {
    before: part.before,
    ...(totals ? { totals } : {}),
    failures: part.failures,
    violations: (checked?.violations ?? []).filter(part.has),
    violations_before: (checked?.current?.violations ?? []).filter(part.has),
    ...(robustness === undefined ? {} : { robustness }),
    ...(explained?.summary === undefined ? {} : { drivers: explained.summary }),
    applied: part.applied,
    not_applied: part.notApplied,
  };
}

/** The optimizer's totals, or for a part of its items their sums; undefined where it does not give them. */
function totalsOf(
  optimized: ReportInputs["optimized"],
  { proposed, outcomes }: SelectedPart,
): ShownReport["totals"] {
  const { proposed: all = [], totals } = optimized ?? {};
  if (totals && proposed.length === all.length) return totals;
  if (outcomes.length === 0 || outcomes.length < proposed.length) return undefined;
  return { current: sumOf(outcomes, "current"), expected: sumOf(outcomes, "expected") };
}

function sumOf(outcomes: readonly ItemOutcome[], which: "current" | "expected"): Figures {
  const total = { profit: 0, revenue: 0 };
  for (const { [which]: figures } of outcomes) {
    total.profit += figures.profit;
    total.revenue += figures.revenue;
  }
  return total;
}

function summaryOf(inputs: ReportInputs, part: SelectedPart, shown: ShownReport, format: Format): string {
  const { texts } = format;
  if (part.isEmpty) return texts.report.nothingViolates;
  const { drivers } = shown;
  const tested = inputs.tested?.summary;
  const isMove = says(inputs, "price_move");
  const whatIf = shown.totals && whatIfLine({ totals: shown.totals, isMove }, format);
  const review = isMove
    ? moveLines(inputs, shown, format)
    : [
        ...(whatIf === undefined ? [] : [""]),
        ...proposalLines(inputs, part, shown, says(inputs, "only_violating"), format),
        ...checkLines(inputs, part, shown, format),
      ];
  return [
    ...(whatIf === undefined ? [] : [whatIf]),
    ...review,
    ...constraintLines(shown.applied, shown.not_applied, format),
    ...(drivers === undefined ? [] : ["", texts.report.drivers(drivers)]),
    ...(tested === undefined ? [] : ["", texts.report.robustness(tested)]),
  ].join("\n");
}

function moveLines({ checked }: ReportInputs, shown: ShownReport, format: Format): string[] {
  const { violations, violations_before: before } = shown;
  return [
    ...(checked?.violations ? [moveSummary({ violations: before }, { violations }, format)] : []),
    ...failureLines(shown, format),
  ];
}

function proposalLines(
  { optimized, constraints = [] }: ReportInputs,
  { proposed, before, failures, outcomes }: SelectedPart,
  shown: ShownReport,
  onlyViolating: boolean,
  format: Format,
): string[] {
  const { texts } = format;
  const notes = noteLines(optimized?.warnings ?? [], format);
  if (proposed.length === 0)
    return [texts.report.noPrices(failures.length), ...failureLines(shown, format), ...notes];
  const top = constraints.find(({ slot, op }) => slot === "top" && op === "set")?.value;
  const { totals } = shown;
  return [
    texts.proposal.title({ priced: proposed.length, failed: failures.length, onlyViolating }),
    ...priceLines(movesOf(proposed, before), format),
    ...(typeof top === "number" ? upsideOf(outcomes, top, optimized?.objective ?? "profit", format) : []),
    ...failureLines(shown, format),
    ...(totals
      ? [
          "",
          texts.proposal.effectWithShares(
            wholeMove(totals, "profit", format),
            wholeMove(totals, "revenue", format),
          ),
        ]
      : []),
    ...notes,
  ];
}

function upsideOf(
  outcomes: readonly ItemOutcome[],
  top: number,
  objective: "profit" | "revenue",
  format: Format,
): string[] {
  const gains = outcomes.map(({ item_id, current, expected }) => ({
    item_id,
    from: current[objective],
    to: expected[objective],
  }));
  return gains.length === 0 ? [] : ["", ...upsideLines(gains, top, objective, format)];
}

function failureLines({ failures }: ShownReport, { texts }: Format): string[] {
  if (failures.length === 0) return [];
  const more = failures.length - MOST_LISTED;
  return [
    "",
    texts.proposal.failures(failures.length),
    ...failures.slice(0, MOST_LISTED).map((one) => `- ${one.item_id}: ${texts.failure(one)}`),
    ...(more > 0 ? [texts.more(more)] : []),
  ];
}

function checkLines(
  { checked, rounds = 1 }: ReportInputs,
  { has, proposed }: SelectedPart,
  { violations, violations_before: before }: ShownReport,
  format: Format,
): string[] {
  if (!checked?.violations) return [];
  const { report: texts, more } = format.texts;
  const fixes = (checked.current?.suggestions ?? []).filter(has);
  const today =
    before.length === 0
      ? [texts.todayKeeps]
      : [texts.todayBreaks(before.length), ...violationLines(before, MOST_LISTED, format)];
  const proposal =
    violations.length === 0
      ? [texts.keeps(rounds - 1)]
      : [texts.breaks(violations.length), ...violationLines(violations, MOST_LISTED, format)];
  return [
    "",
    ...(checked.current ? today : []),
    ...(fixes.length === 0 ? [] : [texts.smallestFix]),
    ...fixes
      .slice(0, MOST_LISTED)
      .map(({ item_id, field, current, new_value: next }) =>
        format.texts.proposal.price(item_id, field, { from: format.price(current), to: format.price(next) }),
      ),
    ...(fixes.length > MOST_LISTED ? [more(fixes.length - MOST_LISTED)] : []),
    ...(proposed.length > 0 ? proposal : []),
  ];
}

function movesOf(proposed: PricingReport["proposed"], before: PricingReport["proposed"]): PriceMove[] {
  return proposed.flatMap(({ item_id, tiers }, at) =>
    Object.entries(tiers).map(([tier, { price }]) => ({
      ...{ item_id, tier },
      from: before[at]?.tiers[tier]?.price ?? 0,
      to: price,
    })),
  );
}
