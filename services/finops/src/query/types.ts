import type { Day } from "../periods/days.ts";
import type { Period, PeriodAsked } from "../periods/period.ts";
import type { MetricName } from "./metrics.ts";

/** Only these values of a dimension, or all but these; null: charges without one, as those without a tag. */
export type Filter = {
  readonly field: string;
  readonly op: "only" | "except";
  readonly values: readonly (string | null)[];
  /** By id, and in the same case. */
  readonly exactly?: boolean;
};

export const ORDERS = ["largest", "smallest", "grown", "shrunk", "name"] as const;
export type Order = (typeof ORDERS)[number];

/** A question (wire shape). */
export type CostQuery = {
  readonly metric?: MetricName;
  /** At most three dimensions, of which one may be a time. */
  readonly group_by?: readonly string[];
  readonly filter?: readonly Filter[];
  readonly period?: PeriodAsked;
  /** `previous`, `year_ago`, or a period. */
  readonly compare_to?: PeriodAsked;
  /** Groups that are shown; with a time, groups of the other dimensions. What is left is in `other`. */
  readonly top?: number;
  readonly order?: Order;
};

/** Amounts are in the currency or unit of the part. */
export type Group = {
  readonly keys: Readonly<Record<string, string | null>>;
  /** Display names of keys that have one. */
  readonly names?: Readonly<Record<string, string>>;
  readonly value: number;
  /** Of the total; null where that is 0, or for a cost per unit. */
  readonly share: number | null;
  /** The share in percent with one decimal; those of a part and its `other` add up to 100.0. */
  readonly percent: number | null;
  readonly rows: number;
  readonly previous?: number;
  readonly change?: number;
  /** Of `previous`; null where that is 0. */
  readonly change_share?: number | null;
  /** Of a cost per unit. */
  readonly quantity?: number;
};

/** The answer in one currency, or of one unit. */
export type Part = {
  readonly currency?: string;
  readonly unit?: string;
  readonly total: number;
  readonly rows: number;
  /** Of a cost: the total is `gross` with `credits` and `refunds`, which are negative. */
  readonly gross?: number;
  readonly credits?: number;
  readonly refunds?: number;
  /** Charges that the files have no such cost of. */
  readonly rows_without_value?: number;
  readonly quantity?: number;
  readonly previous?: number;
  readonly change?: number;
  readonly change_share?: number | null;
  readonly groups: readonly Group[];
  readonly other?: Omit<Group, "keys" | "names"> & { readonly groups: number };
  /** The sum of all groups against the total, which is asked for on its own. Exact: decimals are not rounded. */
  readonly tie_out: { readonly groups: number; readonly groups_total: number; readonly difference: 0 };
};

export type CostAnswer = {
  /** What was asked, with what nobody said filled in. */
  readonly query: Required<Pick<CostQuery, "metric" | "group_by" | "filter" | "period" | "top" | "order">> &
    Pick<CostQuery, "compare_to">;
  readonly period: Period;
  readonly compared_with?: Period;
  /** Whether the caller sees only some of the charges. */
  readonly restricted: boolean;
  readonly rows: number;
  /** Of several units, those with the most charges. */
  readonly parts: readonly Part[];
  readonly more_parts: number;
  readonly data: { readonly first_day: Day; readonly last_day: Day; readonly warnings: readonly string[] };
};
