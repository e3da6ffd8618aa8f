import type { Failure } from "../failures.ts";
import type { PolicyInputs, PolicyItem } from "../policy-types.ts";
import type { PricingInputs, ProposedItem } from "../types.ts";
import type { OrderConstraint } from "./constraint.ts";

/** The inputs of any pricing task, as far as constraints change them. */
export type Constrainable = Pick<
  PricingInputs,
  "objective" | "price_increment" | "min_gap" | "enforce" | "constraints" | "region" | "segment"
> & { items?: PolicyItem[] | PricingInputs["items"]; proposed?: ProposedItem[] };

/** A constraint that was applied, and its effect (wire shape). */
export type AppliedConstraint = OrderConstraint & {
  /** Items that it selects, leaves out, limits or freezes. */
  items: number;
  /** Prices that it limits, freezes or moves, or whose costs it moves. */
  prices: number;
  /** Of the prices in the answer, those that it keeps from going on: they are frozen, or lie within an increment of the limit. */
  binds?: number;
};

/** The effects of the constraints of a request, for its outputs and its summary. */
export type Effects = {
  readonly applied: AppliedConstraint[];
  /** Constraints that the task cannot apply, or that name what its data lack. */
  readonly notApplied: OrderConstraint[];
  /** Entries of a list in the summary; undefined: the default. */
  readonly top: number | undefined;
};

/** What was said, what is to take effect, and the catalogue as it is today, which nothing has been selected from yet. */
export type OrderCheckInputs = Omit<
  PolicyInputs,
  "items" | "prices" | "item_id" | "proposed" | "constraints"
> & {
  constraints: OrderConstraint[];
  items: PolicyItem[];
  proposed: ProposedItem[];
  /** Items that no price was found for: why they are missing. */
  failures?: Failure[];
};

/**
 * - `kept`; `broken`: the payload does something else
 * - `incomplete`: something that was asked for is missing
 * - `unknown`: nothing here judges this
 * - `not_checkable`: no payload can show it
 */
export type OrderVerdictName = "kept" | "broken" | "incomplete" | "unknown" | "not_checkable";

export type OrderVerdict = {
  slot: string;
  verdict: OrderVerdictName;
  message: string;
  /** The first of the items that it is about. */
  item_ids?: string[];
};

/** Every constraint has a verdict, and so has the selection of items, under the slot `items`, where nothing was said of it. */
export type OrderCheck = {
  passed: boolean;
  verdicts: OrderVerdict[];
  /** If the payload is incomplete but otherwise correct: its items. */
  complete_for?: string[];
};
