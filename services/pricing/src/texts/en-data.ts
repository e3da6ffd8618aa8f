import type { FindingCode } from "../data/findings.ts";

/** What the data gate found, in English. */
export const FOUND_IN_ENGLISH: Readonly<Record<FindingCode, string>> = {
  mixed_currency: "prices in several currencies: the price stays",
  mixed_units: "quantities in several units: the price stays",
  price_levels_apart: "prices of two levels far apart, as if units or currencies were mixed: the price stays",
  odd_price: "prices that look like typos: left out",
  odd_quantity: "quantities that look like typos: left out",
  duplicate_rows: "repeated rows: each used once",
  zeros_excluded: "zero sales as on closed days: left out",
  suspicious_zeros: "zero sales that chance does not explain",
  sold_out: "sold out: demand was at least the sales",
  sold_out_not_modelled: "sold out, and the estimate cannot allow for it",
  capped_sales: "many rows with the same largest quantity, as if stock had run out",
  stockpiling: "sales fall after low prices: buyers stock up",
  promotions_excluded: "buyers stock up: promotions and the weeks after them left out",
  level_break: "prices and sales shift to another level: taken out of the elasticity",
  price_trend: "prices drift over time, as with inflation: taken out of the elasticity",
  prices_follow_demand: "prices follow the sales of the period before: the elasticity is in doubt",
  prices_follow_said: "prices followed demand or rivals, as you say: the elasticity is in doubt",
  few_price_changes: "the price hardly ever changes",
  time_not_read: "the time column is in no known form",
  time_ambiguous: "dates can be read with the day or the month first",
  time_guessed: "the column of the time was guessed",
  place_guessed: "the column of the place was guessed",
};
