import { PricingError } from "./errors.ts";
import { collect, failuresOf, joined } from "./failures.ts";
import { formatFor } from "./format.ts";
import { gapOf } from "./gap.ts";
import { fixItem, suggest } from "./policy-fix.ts";
import { findViolations, isPrice, type PriceLimit, type RuledItem } from "./policy-rules.ts";
import { type AboutCheck, policySummary } from "./policy-summary.ts";
import type { PolicyInputs, PolicyItem, PolicyResult, PolicyTier, PolicyVerdict } from "./policy-types.ts";
import { invalidItem, matchEach, proposedPrices } from "./proposals.ts";
import type { RulePack } from "./rule-pack.ts";
import { type OptimizeSettings, settingsFor } from "./settings.ts";
import type { ProposedItem } from "./types.ts";

/** Progress of a check in items. An item's current and proposed prices count separately. */
export type PolicyProgress = { checked: number; total: number };

/**
 * Checks prices against the rules of a pack and computes the nearest prices that satisfy them.
 *
 * Rules: strict ordering between neighbouring tiers; the minimum gap (a share of the higher price, an amount, or both) between
 * tiers that are adjacent in the tier order; prices that are finite and above 0; the request's bounds and
 * maximum change (unless `enforce` leaves them out); the pack's minimum margin and maximum change, if
 * enabled. If both the request and the pack limit the change, the tighter limit applies. Current prices
 * always satisfy the maximum change, but their fix could break it. Applying `fixed_prices` leaves no
 * violation, or `conflicts` has an unresolved entry for the item.
 *
 * An item that cannot be checked (it occurs twice, has a tier outside the tier order, or is proposed without
 * being among the items) is in `failures`; the verdicts are on the others.
 * @throws PricingError INVALID_ITEM if no item can be checked, or for an anchor outside the tier order
 */
export function policyCheck(inputs: PolicyInputs, pack: RulePack): PolicyResult {
  const steps = policySteps(inputs, pack);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
  }
}

/**
 * `policyCheck` as a generator that yields after each item, so that callers can report progress and stop.
 * @param about what the summary is asked for
 */
export function* policySteps(
  inputs: PolicyInputs,
  pack: RulePack,
  about: Omit<AboutCheck, "items"> = {},
): Generator<PolicyProgress, PolicyResult> {
  const settings = settingsFor(inputs, pack);
  const format = formatFor(inputs);
  const errors: PricingError[] = [];
  const items = matchEach(itemsOf(inputs), undefined, errors).map(({ item }) => item);
  const proposals = inputs.proposed && matchEach(items, inputs.proposed, errors);
  const anchors = anchorsOf(inputs, settings);
  const total = items.length + (proposals?.length ?? 0);
  const failed = new Set<string>();
  const judgeEach = (item: PolicyItem, proposal: ProposedItem | undefined, verdict: Judged) => {
    try {
      if (!failed.has(item.item_id))
        judge({ ...ruledItem(item, proposal, settings, inputs, pack), format }, verdict);
    } catch (error) {
      collect(error, errors);
      failed.add(item.item_id);
    }
  };
  const judge = (item: RuledItem, verdict: Judged) => {
    const violations = findViolations(item);
    const fix =
      violations.length === 0
        ? { prices: item.prices, conflicts: [] }
        : fixItem(item, {
            anchors: item.names.flatMap((name, i) => (anchors.has(name.toLowerCase()) ? [i] : [])),
            weights: item.names.map((name) => weightOf(inputs, name)),
          });
    verdict.violations.push(...violations);
    verdict.suggestions.push(...suggest(item, fix.prices, violations));
    verdict.conflicts.push(...fix.conflicts);
    verdict.fixed_prices.push({
      item_id: item.itemId,
      tiers: Object.fromEntries(item.names.map((name, i) => [name, { price: fix.prices[i] ?? Number.NaN }])),
    });
  };

  const today = emptyVerdict();
  let checked = 0;
  for (const item of items) {
    judgeEach(item, undefined, today);
    yield { checked: ++checked, total };
  }
  if (today.fixed_prices.length === 0) throwFirst(errors);
  const current = inputs.prices === undefined ? finished(today) : asPrices(finished(today));
  const rule_pack = { name: pack.name, version: pack.version };
  if (proposals === undefined) {
    const summary = policySummary({ items: today.fixed_prices.length, ...about }, format, current);
    return { ...current, current, failures: failuresOf(errors), rule_pack, summary };
  }

  const next = emptyVerdict();
  for (const { item, proposal } of proposals) {
    judgeEach(item, proposal, next);
    yield { checked: ++checked, total };
  }
  if (next.fixed_prices.length === 0) throwFirst(errors);
  const proposed = finished(next);
  const summary = policySummary({ items: next.fixed_prices.length, ...about }, format, current, proposed);
  return { ...proposed, current, proposed, failures: failuresOf(errors), rule_pack, summary };
}

/** The items whose prices break a rule today, without what would fix them. Items that cannot be checked break none. */
export function* violatingSteps(
  { proposed: _, ...inputs }: PolicyInputs,
  pack: RulePack,
): Generator<void, ReadonlySet<string>> {
  const settings = settingsFor(inputs, pack);
  const format = formatFor(inputs);
  const violating = new Set<string>();
  for (const item of itemsOf(inputs)) {
    try {
      const ruled = { ...ruledItem(item, undefined, settings, inputs, pack), format };
      if (findViolations(ruled).length > 0) violating.add(item.item_id);
    } catch (error) {
      collect(error, []);
    }
    yield;
  }
  return violating;
}

/** Nothing could be checked: the request fails with the first error, which lists the others. */
function throwFirst(errors: readonly PricingError[]): void {
  const error = joined(errors);
  if (error !== undefined) throw error;
}

type Judged = Omit<PolicyVerdict, "passed" | "fixed_prices"> & { fixed_prices: ProposedItem[] };

function emptyVerdict(): Judged {
  return { violations: [], suggestions: [], fixed_prices: [], conflicts: [] };
}

function finished(verdict: Judged): Judged & { passed: boolean } {
  return { passed: verdict.violations.length === 0, ...verdict };
}

function asPrices(verdict: Judged & { passed: boolean }): PolicyVerdict {
  const tiers = Object.entries(verdict.fixed_prices[0]?.tiers ?? {});
  return { ...verdict, fixed_prices: Object.fromEntries(tiers.map(([name, { price }]) => [name, price])) };
}

function itemsOf(inputs: PolicyInputs): PolicyItem[] {
  if (inputs.prices === undefined) return inputs.items ?? [];
  const tiers = Object.entries(inputs.prices).map(([name, price]) => [name, { current_price: price }]);
  return [{ item_id: inputs.item_id ?? "prices", tiers: Object.fromEntries(tiers) }];
}

function anchorsOf(inputs: PolicyInputs, settings: OptimizeSettings): Set<string> {
  const names = [inputs.anchor ?? []].flat().map((name) => name.toLowerCase());
  const stranger = names.find((name) => !settings.rank.has(name));
  if (stranger !== undefined) {
    throw new PricingError("INVALID_ITEM", "An anchor is not in tier_order.", { constraint: "anchor" });
  }
  return new Set(names);
}

function weightOf(inputs: PolicyInputs, tier: string): number {
  const found = Object.entries(inputs.weights ?? {}).find(
    ([name]) => name.toLowerCase() === tier.toLowerCase(),
  );
  return found?.[1] ?? 1;
}

function ruledItem(
  item: PolicyItem,
  proposal: ProposedItem | undefined,
  settings: OptimizeSettings,
  inputs: PolicyInputs,
  pack: RulePack,
): Omit<RuledItem, "format"> {
  const tiers = rankedTiers(item, settings);
  const proposed = proposedPrices(item, proposal);
  const segment = item.segment ?? inputs.segment;
  const region = item.region ?? inputs.region;
  const scope = {
    ...(segment === undefined ? {} : { segment }),
    ...(region === undefined ? {} : { region }),
  };
  return {
    itemId: item.item_id,
    names: tiers.map(({ name }) => name),
    prices: tiers.map(({ name, tier }) => proposed[name] ?? tier.current_price),
    fallback: tiers.map(({ tier }) => tier.current_price),
    gaps: tiers.slice(1).map(({ name, rank }, i) => {
      const higher = tiers[i];
      return higher !== undefined && rank - higher.rank === 1
        ? gapOf(settings.gapFor(scope, higher.name, name))
        : undefined;
    }),
    limits: tiers.map(({ tier }) => limitsOf(tier, settings, pack)),
    increment: settings.increment,
  };
}

function rankedTiers(
  item: PolicyItem,
  settings: OptimizeSettings,
): { name: string; rank: number; tier: PolicyTier }[] {
  const tiers = Object.entries(item.tiers).map(([name, tier]) => {
    const rank = settings.rank.get(name.toLowerCase());
    if (rank === undefined)
      throw invalidItem(item.item_id, "tier_order", `has the tier ${name}, which is not in tier_order`);
    return { name, rank, tier };
  });
  tiers.sort((a, b) => a.rank - b.rank);
  if (new Set(tiers.map(({ rank }) => rank)).size < tiers.length) {
    throw invalidItem(item.item_id, "tier_order", "has two tiers that differ only in case");
  }
  return tiers;
}

function limitsOf(tier: PolicyTier, settings: OptimizeSettings, pack: RulePack): PriceLimit[] {
  const limits: PriceLimit[] = [];
  if (tier.bounds !== undefined && settings.enforce.has("bounds"))
    limits.push({ rule: "bounds", ...tier.bounds });
  if (pack.minimumMargin !== undefined && tier.unit_cost !== undefined) {
    limits.push({ rule: "minimum_margin", min: tier.unit_cost * (1 + pack.minimumMargin) });
  }
  // The pack's maximum change applies even if the request's `enforce` leaves that family out.
  const change = settings.enforce.has("max_change") ? settings.maxChange : pack.maximumChange;
  if (change !== undefined && isPrice(tier.current_price)) {
    const by = tier.current_price * change;
    limits.push({ rule: "max_change", min: tier.current_price - by, max: tier.current_price + by });
  }
  return limits;
}
