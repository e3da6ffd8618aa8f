import type { Dataset } from "../csv.ts";
import { numberIn } from "../estimation/columns.ts";
import { namedWords } from "../estimation/names.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const CURRENCIES = words("currency curr ccy waehrung währung devise moneda valuta 통화 화폐");
const UNITS = words("unit uom measure pack packsize packaging einheit unidad unite 단위 포장");
const STOCKS = words("stock inventory onhand available availability bestand lager existencias 재고");
/** Fewer differing rows than this share are of no weight. */
const LEAST_SHARE = 0.02;
const LEAST_SOLD_OUT = 0.02;

/** A column that mixes what must not be mixed, and the rows that do not have its most frequent value. */
export type Mixture = {
  readonly code: "mixed_currency" | "mixed_units";
  readonly column: string;
  readonly rows: number[];
};

/** Currency and unit columns with several values among these rows. @param taken columns that the fit uses otherwise */
export function mixtures(dataset: Dataset, rows: readonly number[], taken: ReadonlySet<string>): Mixture[] {
  return [...dataset.columns].flatMap(([column, cells]): Mixture[] => {
    if (taken.has(column)) return [];
    const named = namedWords(column);
    const is = (set: ReadonlySet<string>) => named.some((word) => set.has(word));
    const code = is(CURRENCIES) ? "mixed_currency" : is(UNITS) ? "mixed_units" : undefined;
    if (code === undefined) return [];
    const value = (row: number) => (cells[row] ?? "").trim().toLowerCase();
    const counts = new Map<string, number>();
    for (const row of rows) counts.set(value(row), (counts.get(value(row)) ?? 0) + 1);
    // A column in which nearly every row differs is a measure, such as units sold.
    if (counts.size < 2 || counts.size > Math.max(12, rows.length / 20)) return [];
    const [main] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most));
    const others = rows.filter((row) => value(row) !== main);
    return others.length >= LEAST_SHARE * rows.length ? [{ code, column, rows: others }] : [];
  });
}

/** Rows in which all of the stock was sold, if a column says what there was; only if there are many. */
export function soldOut(
  dataset: Dataset,
  rows: readonly number[],
  quantity: string,
  taken: ReadonlySet<string>,
): { readonly column: string; readonly rows: number[] } | undefined {
  const column = [...dataset.columns.keys()].find(
    (name) => !taken.has(name) && namedWords(name.replaceAll("_", "")).some((word) => STOCKS.has(word)),
  );
  const stock = column === undefined ? undefined : dataset.columns.get(column);
  const sold = dataset.columns.get(quantity) ?? [];
  if (column === undefined || stock === undefined) return undefined;
  const out = rows.filter((row) => {
    const [had, units] = [numberIn(stock[row]), numberIn(sold[row])];
    return had >= 0 && units >= had;
  });
  return out.length >= LEAST_SOLD_OUT * rows.length ? { column, rows: out } : undefined;
}
