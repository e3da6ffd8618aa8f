import { atMost, same } from "../compare.ts";
import type { PricingError } from "../errors.ts";
import { gridOf, gridPriceAt, leastSteps, mostSteps } from "../grid.ts";
import { isPrice } from "../policy-rules.ts";
import type { PolicyItem, PolicyTier } from "../policy-types.ts";
import type { ProposedItem } from "../types.ts";
import { amountOf } from "./amounts.ts";
import type { Freeze } from "./choose.ts";
import type { Effect } from "./effect.ts";
import { ANY, allows, type Limit, limitOf, type Range, shiftOf } from "./limits.ts";
import { conflict, heldBeyond, type Source } from "./refusals.ts";
import { scopeOf } from "./selection.ts";

type Limiting = { readonly effect: Effect; readonly limit: Limit };
type Moving = {
  readonly effect: Effect;
  /** @param of a price or cost, which it moves */
  readonly moved: (of: number) => number;
  readonly inScope: (item: PolicyItem, tier: string) => boolean;
};

export type LimitedItem = {
  /** The item with its allowed prices as bounds. */
  readonly item: PolicyItem;
  /** The prices of a price move, if there is one. */
  readonly move?: ProposedItem;
};

/** What constraints allow for single prices. */
export class PriceLimits {
  readonly isMove: boolean;
  readonly #freezes: readonly Freeze[];
  readonly #limits: readonly Limiting[];
  readonly #costMoves: readonly Moving[];
  readonly #priceMoves: readonly Moving[];
  readonly #increment: number;

  constructor(effects: readonly Effect[], freezes: readonly Freeze[], increment: number) {
    this.#freezes = freezes;
    this.#increment = increment;
    this.#limits = effects.flatMap((effect) => {
      const limit = limitOf(effect.constraint, increment);
      return limit ? [{ effect, limit }] : [];
    });
    this.#costMoves = movesOf("cost_move", effects);
    const limited = new Set(this.#limits.map(({ effect }) => effect));
    this.#priceMoves = movesOf("price_move", effects).filter(({ effect }) => limited.has(effect));
    this.isMove = this.#priceMoves.length > 0;
  }

  get isEmpty(): boolean {
    return this.#freezes.length === 0 && this.#limits.length === 0;
  }

  /** @throws PricingError CONFLICTING_CONSTRAINTS, naming the two that leave no price */
  limit(given: PolicyItem, hasBounds: boolean): LimitedItem {
    const tiers: Record<string, PolicyTier> = {};
    const prices: Record<string, { price: number }> = {};
    for (const [name, tier] of Object.entries(given.tiers)) {
      const today = this.#withCosts(given, name, hasBounds ? tier : withoutBounds(tier));
      const { current_price: price } = today;
      if (this.#isFrozen(given, name)) {
        tiers[name] = {
          ...today,
          frozen: true,
          ...(isPrice(price) && { bounds: { min: price, max: price } }),
        };
        prices[name] = { price };
        continue;
      }
      const said = this.#saidOf(given, name, today);
      if (this.isMove) prices[name] = { price: this.#movedPrice(given, name, today, said) };
      tiers[name] = said ? { ...today, bounds: boundsOf(given, name, today, said, this.isMove) } : today;
    }
    const item = { ...given, tiers };
    return this.isMove ? { item, move: { item_id: given.item_id, tiers: prices } } : { item };
  }

  /** The first constraint that a price breaks, which is possible only for a tier that the optimizer holds. */
  broken({ item_id, tiers }: PolicyItem, prices: ProposedItem["tiers"]): PricingError | undefined {
    const item = { item_id, tiers };
    for (const [name, today] of Object.entries(tiers)) {
      const price = prices[name]?.price;
      if (price === undefined || today.frozen) continue;
      for (const { effect, limit } of this.#limits) {
        const range = limit(item, name, today);
        if (range && !allows(range, price)) return heldBeyond(item_id, name, effect.constraint);
      }
    }
    return undefined;
  }

  /** Adds how many prices each constraint stops. */
  countBinding(item: PolicyItem, prices: ProposedItem["tiers"], counts: Map<Effect, number>): void {
    const count = (effect: Effect) => counts.set(effect, (counts.get(effect) ?? 0) + 1);
    for (const [name, today] of Object.entries(item.tiers)) {
      const price = prices[name]?.price;
      if (price === undefined) continue;
      if (today.frozen) {
        for (const { effect, isFrozen } of this.#freezes) if (isFrozen(item, name)) count(effect);
        continue;
      }
      for (const { effect, limit } of this.#limits) {
        const range = limit(item, name, today);
        if (range && (this.#stops(range.low, price) || this.#stops(range.high, price))) count(effect);
      }
    }
  }

  /** Whether a constraint stops prices, so that it can bind. A move sets them. */
  canBind(effect: Effect): boolean {
    if (this.#priceMoves.some((move) => move.effect === effect)) return false;
    return [...this.#limits, ...this.#freezes].some((one) => one.effect === effect);
  }

  /** For proposals from elsewhere: a move counts as applied where they are exactly that move. */
  recountMoves(items: readonly PolicyItem[], proposed: readonly ProposedItem[]): void {
    if (!this.isMove) return;
    const moves = new Set(this.#priceMoves.map(({ effect }) => effect));
    for (const effect of moves) effect.reset();
    const proposals = new Map(proposed.map((proposal) => [proposal.item_id, proposal.tiers]));
    for (const item of items)
      for (const [name, today] of Object.entries(item.tiers)) {
        const price = proposals.get(item.item_id)?.[name]?.price;
        if (price === undefined || today.frozen) continue;
        for (const { effect, limit } of this.#limits) {
          const range = moves.has(effect) ? limit(item, name, today) : undefined;
          if (range && allows(range, price)) effect.touch(item.item_id);
        }
      }
  }

  /** A price within an increment of a limit is at it: the next multiple lies beyond. */
  #stops(limit: number, price: number): boolean {
    return limit > 0 && (same(price, limit) || Math.abs(price - limit) < this.#increment);
  }

  #isFrozen(item: PolicyItem, tier: string): boolean {
    let isFrozen = false;
    for (const freeze of this.#freezes) {
      if (!freeze.isFrozen(item, tier)) continue;
      freeze.effect.touch(item.item_id);
      isFrozen = true;
    }
    return isFrozen;
  }

  #withCosts(item: PolicyItem, name: string, tier: PolicyTier): PolicyTier {
    if (tier.unit_cost === undefined || this.#costMoves.length === 0) return tier;
    let cost = tier.unit_cost;
    for (const { effect, moved, inScope } of this.#costMoves) {
      if (!inScope(item, name)) continue;
      effect.touch(item.item_id);
      cost = Math.max(0, moved(cost));
    }
    return { ...tier, unit_cost: cost };
  }

  /** The intersection of all limits; undefined where there is none. */
  #saidOf(item: PolicyItem, name: string, today: PolicyTier): Said | undefined {
    let said: Said | undefined;
    for (const { effect, limit } of this.#limits) {
      const range = limit(item, name, today);
      if (!range) continue;
      effect.touch(item.item_id);
      said = narrowed(said, range, effect.constraint);
    }
    if (said && !atMost(said.low, said.high)) throw conflict(item.item_id, name, [said.lowBy, said.highBy]);
    return said;
  }

  /** The price of the move, or the allowed price nearest to today's. */
  #movedPrice(item: PolicyItem, name: string, today: PolicyTier, said: Said | undefined): number {
    const move = this.#priceMoves.find(({ inScope }) => inScope(item, name));
    const { current_price: current } = today;
    if (!said || !isPrice(current) || (!move && allows(said, current))) return current;
    const goal = move?.moved(current) ?? current;
    if (this.#increment === 0) return Math.min(Math.max(goal, said.low), said.high);
    const grid = gridOf(this.#increment);
    const [least, most] = [leastSteps(grid, said.low), mostSteps(grid, said.high)];
    if (least > most) throw conflict(item.item_id, name, [said.lowBy, said.highBy]);
    return gridPriceAt(grid, Math.min(Math.max(Math.round(goal / this.#increment), least), most));
  }
}

type Said = Range & { readonly lowBy: Source; readonly highBy: Source };

function narrowed(said: Said | undefined, { low, high }: Range, by: Source): Said {
  if (!said) return { low, high, lowBy: by, highBy: by };
  return {
    ...(low > said.low ? { low, lowBy: by } : { low: said.low, lowBy: said.lowBy }),
    ...(high < said.high ? { high, highBy: by } : { high: said.high, highBy: said.highBy }),
  };
}

/**
 * What was said within the bounds that the item has. A move does not keep these: the policy check says so.
 * @throws PricingError CONFLICTING_CONSTRAINTS
 */
function boundsOf(
  { item_id }: PolicyItem,
  name: string,
  { bounds = {} }: PolicyTier,
  said: Said,
  isMove: boolean,
): NonNullable<PolicyTier["bounds"]> {
  if (isMove) return bounds;
  const { low, high, lowBy, highBy } = narrowed(
    said,
    { low: bounds.min ?? ANY.low, high: bounds.max ?? ANY.high },
    "bounds",
  );
  if (!atMost(low, high)) throw conflict(item_id, name, [lowBy, highBy]);
  return { min: Math.min(low, high), ...(high < ANY.high ? { max: high } : {}) };
}

function withoutBounds({ bounds: _, ...tier }: PolicyTier): PolicyTier {
  return tier;
}

function movesOf(slot: string, effects: readonly Effect[]): Moving[] {
  return effects.flatMap((effect) => {
    const { constraint } = effect;
    const amount = constraint.slot === slot && constraint.op === "set" ? amountOf(constraint) : undefined;
    if (amount === undefined || constraint.unit === "number") return [];
    if (constraint.unit !== "money" && amount <= -1) return [];
    const moved = (of: number) => of + shiftOf(amount, constraint, of);
    return [{ effect, moved, inScope: scopeOf(constraint) }];
  });
}
