import type { OrderConstraint } from "./constraint.ts";
import type { AppliedConstraint } from "./types.ts";

/** Counts the effect of one constraint while the items of a request are processed. */
export class Effect {
  readonly constraint: OrderConstraint;
  /** Whether it has an effect without limiting a price: it selects items or sets what the whole request uses. */
  isSettled = false;
  items = 0;
  prices = 0;
  #last: string | undefined;

  constructor(constraint: OrderConstraint) {
    this.constraint = constraint;
  }

  /** Of a price. All prices of an item come one after the other. */
  touch(item: string): void {
    if (this.#last !== item) this.items += 1;
    this.#last = item;
    this.prices += 1;
  }

  reset(): void {
    this.#last = undefined;
    this.items = 0;
    this.prices = 0;
  }

  /** A constraint that reaches no item was not applied. */
  get isApplied(): boolean {
    return this.isSettled || this.prices > 0;
  }

  /** @param binds of the prices of the answer; undefined where it limits none */
  described(binds: number | undefined): AppliedConstraint {
    const { constraint, items, prices } = this;
    return { ...constraint, items, prices, ...(binds === undefined ? {} : { binds }) };
  }
}
