import { applySteps } from "../constraints/apply.ts";
import type { Effects } from "../constraints/types.ts";
import { PricingError } from "../errors.ts";
import { type Failure, failuresOf } from "../failures.ts";
import type { PolicyItem } from "../policy-types.ts";
import type { ItemOutcome } from "../proposal-outcomes.ts";
import type { RulePack } from "../rule-pack.ts";
import type { ProposedItem } from "../types.ts";
import type { Optimized, ReportInputs } from "./types.ts";

/** The part of the other agents' answers that the constraints select. */
export type SelectedPart = {
  /** Whether anything of the items was selected. */
  readonly isEmpty: boolean;
  readonly has: (about: { readonly item_id: string }) => boolean;
  readonly proposed: ProposedItem[];
  readonly before: ProposedItem[];
  readonly failures: Failure[];
  /** What the items of `proposed` earn, as far as the optimizer says. */
  readonly outcomes: ItemOutcome[];
  readonly applied: NonNullable<Optimized["applied"]>;
  readonly notApplied: NonNullable<Optimized["not_applied"]>;
};

/**
 * Narrows a proposal to the items and tiers that the constraints select and do not freeze. Yields after each item, so that callers can
 * pause.
 * @throws PricingError NOTHING_SELECTED, if it is not that no item breaks a rule
 */
export function* selectSteps(inputs: ReportInputs, pack: RulePack): Generator<void, SelectedPart> {
  const { optimized = {} } = inputs;
  const proposal = inputs.proposed ?? optimized.proposed ?? [];
  const { items, errors, effects } = yield* selectedItems(inputs, pack);
  const known = new Map(items.map((item) => [item.item_id, item]));
  const crossed = failuresOf(errors);
  const failed = new Set(crossed.map(({ item_id }) => item_id));
  const has = ({ item_id }: { readonly item_id: string }) => known.has(item_id) || failed.has(item_id);

  const mayChange = ({ tiers }: PolicyItem, name: string) =>
    Object.hasOwn(tiers, name) && tiers[name]?.frozen === undefined;
  const proposed: ProposedItem[] = [];
  const before: ProposedItem[] = [];
  for (const { item_id, tiers } of proposal) {
    const item = known.get(item_id);
    const mine = item ? Object.entries(tiers).filter(([name]) => mayChange(item, name)) : [];
    if (item === undefined || mine.length === 0) continue;
    proposed.push({ item_id, tiers: Object.fromEntries(mine.map(([name, { price }]) => [name, { price }])) });
    before.push({
      item_id,
      tiers: Object.fromEntries(
        mine.map(([name]) => [name, { price: item.tiers[name]?.current_price ?? 0 }]),
      ),
    });
    yield;
  }
  const priced = new Set(proposed.map(({ item_id }) => item_id));
  const reported = (optimized.failures ?? []).filter(has);
  const named = new Set(reported.map(({ item_id }) => item_id));
  const own = effects(proposed);
  // What the optimizer alone can apply, such as the objective. A turn may look at a part of an earlier proposal, whose constraints are others.
  const byOptimizer = own.notApplied.map((constraint) =>
    (optimized.applied ?? []).find(
      ({ slot, op, value }) =>
        slot === constraint.slot &&
        op === constraint.op &&
        JSON.stringify(value) === JSON.stringify(constraint.value),
    ),
  );
  return {
    isEmpty: known.size === 0 && failed.size === 0,
    has,
    proposed,
    before,
    failures: [...reported, ...crossed.filter(({ item_id }) => !named.has(item_id))],
    outcomes: (optimized.outcomes ?? []).filter(({ item_id }) => priced.has(item_id)),
    applied: [...own.applied, ...byOptimizer.filter((one) => one !== undefined)],
    notApplied: own.notApplied.filter((_, at) => byOptimizer[at] === undefined),
  };
}

function* selectedItems(inputs: ReportInputs, pack: RulePack) {
  const {
    optimized: _,
    checked: __,
    explained: ___,
    tested: ____,
    rounds: _____,
    proposed: ______,
    ...asked
  } = inputs;
  try {
    const { inputs: constrained, errors, effects } = yield* applySteps(asked, { pack });
    return { items: constrained.items, errors, effects };
  } catch (error) {
    if (!(error instanceof PricingError)) throw error;
    const isClean = error.code === "NOTHING_SELECTED" && error.details.constraint === "only_violating";
    if (!isClean) throw error;
    return {
      items: [],
      errors: [],
      effects: (): Effects => ({ applied: [], notApplied: [], top: undefined }),
    };
  }
}
