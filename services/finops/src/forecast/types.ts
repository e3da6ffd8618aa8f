import type { Grain } from "./calendar.ts";
import type { CostPoint, Gap } from "./series.ts";

/** A level that is known to differ from a period on: a migration, a new price, a service that is switched off. */
export type Change = {
  readonly name: string;
  /** Its first period. */
  readonly from: string;
  /** Cost per period that it adds. Without it the effect is estimated, which takes some periods after the change. */
  readonly effect?: number;
};

/** What is charged or credited per period from `from` to `to`, as the contract says. */
export type ScheduledCost = { readonly from: string; readonly to: string; readonly cost: number };

/** A part of the spend that is forecast by itself, since it follows rules of its own. */
export type Component = {
  readonly name: string;
  /**
   * A period without a point is unknown for usage, and 0 for a commitment's fees and for credits, which come in some
   * periods only. Credits are negative.
   */
  readonly kind: "usage" | "commitment" | "credit";
  readonly points: readonly CostPoint[];
  readonly changes?: readonly Change[];
  /** The forecast, where a contract has it: 0 outside its periods. */
  readonly schedule?: readonly ScheduledCost[];
  /** What is left of a credit, > 0, and its last period. */
  readonly balance?: number;
  readonly until?: string;
};

/** `period` is a month ("2026-12"), a quarter ("2026-Q4"), or days ("2026-10-01/2026-10-07"). Without an amount its total alone is told. */
export type Budget = { readonly period: string; readonly amount?: number };

export type ForecastRequest = {
  readonly grain: Grain;
  /** At least one. The forecast begins after the last period that any of them has a point in. */
  readonly components: readonly Component[];
  /** Periods ahead, ≥ 1. The end of a budget's period, where that is later. */
  readonly horizon: number;
  readonly budgets?: readonly Budget[];
};

export type Interval = readonly [low: number, high: number];

export type Bands = { readonly p80: Interval; readonly p95: Interval };

export type ForecastPoint = Bands & { readonly period: string; readonly cost: number };

export type ComponentForecast = {
  readonly name: string;
  readonly kind: Component["kind"];
  /** "schedule" for what a contract says, which nothing is compared with. */
  readonly method: string;
  /** Mean absolute error over all origins and periods ahead as a multiple of `errorScale`; null: that is 0. */
  readonly mase: number | null;
  /** Every method that was compared, best first. */
  readonly compared: readonly {
    readonly method: string;
    readonly mase: number | null;
    readonly mae: number;
  }[];
  readonly costs: readonly number[];
  /** Periods of usage without a value: left out, not taken for 0. */
  readonly gaps: readonly Gap[];
  /** Names of changes that had no effect on the forecast: too few periods after them, and no `effect`. */
  readonly changes_not_applied: readonly string[];
};

export type PeriodTotal = Bands & {
  readonly period: string;
  /** Cost of its periods up to now. */
  readonly actual: number;
  /** Periods in `actual` without a value, which the method has estimated. */
  readonly estimated_periods: number;
  /** Actual and forecast together. */
  readonly expected: number;
  readonly budget?: number;
  /** That the total is greater than the budget; null where too few such windows could be tested. */
  readonly chance_exceeded?: number | null;
};

export type SpendForecast = {
  readonly grain: Grain;
  readonly points: readonly ForecastPoint[];
  readonly components: readonly ComponentForecast[];
  /** Of the months whose end is forecast, and of the budgets' periods. */
  readonly totals: readonly PeriodTotal[];
  readonly accuracy: {
    readonly origins: number;
    /** How far ahead forecasts could be compared with what came. Beyond it bands grow in proportion. */
    readonly tested_horizon: number;
    /** Share of the later half of the origins' errors within bands made of the earlier half; null: too few. */
    readonly coverage: { readonly p80: number | null; readonly p95: number | null };
  };
  /** Stable codes. */
  readonly warnings: readonly ForecastWarning[];
};

export type ForecastWarning =
  | "SHORT_HISTORY"
  | "BEYOND_TESTED_HORIZON"
  | "MISSING_PERIODS"
  | "CHANGES_NOT_APPLIED";
