import { violatingSteps } from "../policy.ts";
import type { PolicyItem } from "../policy-types.ts";
import type { RulePack } from "../rule-pack.ts";
import type { OrderConstraint } from "./constraint.ts";
import type { Effect } from "./effect.ts";
import { nothingSelected } from "./refusals.ts";
import { type ItemSelector, itemSelector, namesOf, tierSelector } from "./selection.ts";
import type { Constrainable } from "./types.ts";

/** Whether a constraint freezes a tier at today's price. */
export type Freeze = {
  readonly effect: Effect;
  readonly isFrozen: (item: PolicyItem, tier: string) => boolean;
};

/** Region and segment of items that have none. */
export type Context = Pick<PolicyItem, "region" | "segment">;

/** @property context those that were asked for, where it is one: for the rules of the pack, since such an item is in every region */
export type Choice = {
  readonly items: readonly PolicyItem[];
  readonly freezes: readonly Freeze[];
  readonly context: Context;
};

/**
 * The items that all constraints on items leave, and what stays as it is.
 * @throws PricingError NOTHING_SELECTED, naming the constraint that leaves nothing
 */
export function* chooseSteps(
  items: readonly PolicyItem[],
  effects: readonly Effect[],
  inputs: Constrainable,
  pack: RulePack,
): Generator<void, Choice> {
  const freezes: Freeze[] = [];
  const selecting: Effect[] = [];
  let left = [...items];
  for (const effect of effects) {
    const { constraint } = effect;
    const selects =
      constraint.slot === "only_violating"
        ? yield* onlyViolating(constraint, inputs, pack)
        : itemSelector(constraint);
    if (!selects) continue;
    effect.isSettled = true;
    if (constraint.op === "freeze") {
      freezes.push({ effect, isFrozen: (item) => selects(item) === "frozen" });
      continue;
    }
    const before = left.length;
    left = left.filter((item) => selects(item) === "wanted");
    if (left.length === 0) throw nothingSelected(constraint);
    if (constraint.op === "except") effect.items = before - left.length;
    else selecting.push(effect);
  }
  for (const effect of selecting) effect.items = left.length;
  for (const effect of effects) {
    const mayChange = tierSelector(effect.constraint);
    if (!mayChange) continue;
    if (effect.constraint.op !== "freeze" && !left.some((item) => hasTier(item, mayChange)))
      throw nothingSelected(effect.constraint);
    effect.isSettled = true;
    freezes.push({ effect, isFrozen: (item, tier) => !mayChange(item, tier) });
  }
  return { items: left, freezes, context: contextOf(selecting) };
}

function hasTier(item: PolicyItem, mayChange: (item: PolicyItem, tier: string) => boolean): boolean {
  return Object.keys(item.tiers).some((tier) => mayChange(item, tier));
}

function contextOf(selecting: readonly Effect[]): Context {
  const context: Context = {};
  for (const { constraint } of selecting) {
    const [name, ...others] = namesOf(constraint) ?? [];
    if (name === undefined || others.length > 0) continue;
    if (constraint.slot === "region" || constraint.slot === "segment") context[constraint.slot] = name;
  }
  return context;
}

function* onlyViolating(
  { op, value }: OrderConstraint,
  { constraints: _, proposed: __, ...today }: Constrainable,
  pack: RulePack,
): Generator<void, ItemSelector | undefined> {
  if (op !== "set" || value !== true) return undefined;
  const violating = yield* violatingSteps(today, pack);
  return ({ item_id }) => (violating.has(item_id) ? "wanted" : "unwanted");
}
