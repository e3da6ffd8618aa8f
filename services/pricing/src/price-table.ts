import type { Format } from "./format.ts";
import type { PriceMove } from "./proposal-summary.ts";
import type { Objective } from "./types.ts";

/** Rows of one table: more are counted, and stand in the answer's other members. */
const MOST_ROWS = 1_000;

/** A table of an answer (wire shape): a cell for each column in each row. Shares are fractions. */
export type Table = {
  title: string;
  columns: { name: string; label: string }[];
  rows: (string | number | null)[][];
  /** How many rows there are, shown here or not. */
  total_rows: number;
};

export type PriceRow = PriceMove & { readonly why: string };

/** The proposed prices: a row for each, with why it is what it is. */
export function priceTable(prices: readonly PriceRow[], { texts }: Format): Table {
  const { title, columns } = texts.proposal.table;
  return {
    title,
    columns: Object.entries(columns).map(([name, label]) => ({ name, label })),
    rows: prices
      .slice(0, MOST_ROWS)
      .map(({ item_id, tier, from, to, why }) => [
        item_id,
        tier,
        from,
        to,
        from > 0 ? Number(((to - from) / from).toFixed(6)) : null,
        why,
      ]),
    total_rows: prices.length,
  };
}

/**
 * Why a price is what it is, in words.
 * @param binding the rules that hold with equality there, as `bindingAt` names them
 */
export function whyOf(
  binding: readonly string[],
  { tier, objective }: { tier: string; objective: Objective },
  { texts }: Format,
): string {
  const { why } = texts.proposal.table;
  const parts = binding.map((name) => {
    const [rule = "", pair = ""] = name.split(":");
    const [higher = "", lower = ""] = pair.split(">");
    if (rule === "held" || rule === "frozen" || rule === "substitution" || rule === "caution")
      return why[rule];
    if (pair === "") return why.limit(texts.explanation.limit(rule));
    const other = tier === higher ? lower : higher;
    return rule === "ordering" ? why.order(other, tier === higher) : why.gap(other);
  });
  return parts.length === 0 ? why.best(objective) : texts.list(parts);
}

/** The reasons that a table gives, for prices that are still those of the table. */
export function reasonsIn(table: Table | undefined, format: Format): (move: PriceMove) => string {
  const key = (item: unknown, tier: unknown) => JSON.stringify([item, tier]);
  const known = new Map(table?.rows.map(([item, tier, , to, , why]) => [key(item, tier), { to, why }]));
  return ({ item_id, tier, to }) => {
    const found = known.get(key(item_id, tier));
    if (found === undefined) return "";
    return found.to === to ? String(found.why) : format.texts.proposal.table.why.repaired;
  };
}
