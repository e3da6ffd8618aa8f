import type { Dataset } from "../csv.ts";
import { numberIn } from "../estimation/columns.ts";
import { namedWords } from "../estimation/names.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const CURRENCIES = words("currency curr ccy waehrung währung devise moneda valuta 통화 화폐");
const UNITS = words("unit uom measure pack packsize packaging einheit unidad unite 단위 포장");
const PROMOTIONS = words(
  "promo promotion promoted onpromotion deal special sale aktion angebot promocion oferta 행사 할인 프로모션",
);
const STOCKS = words("stock instock inventory onhand available availability bestand lager existencias 재고");
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

/** Names of columns that say when an item was out of stock; spaces and marks left out. */
const OUT = /soldout|stockout|outofstock|^oos$|품절|ausverkauft|agotado|rupture/;
const YES = words("1 yes y true t ja oui si 예 네");
const NO = words("0 no n false f nein non 아니오 아니요");

/**
 * Rows of which demand was at least what was sold, if a column says so: the stock, which sales reach; the share of the
 * period in which the item was to be had, or whether it was; or whether it sold out. Only if there are many.
 */
export function soldOut(
  dataset: Dataset,
  rows: readonly number[],
  quantity: string,
  taken: ReadonlySet<string>,
): { readonly column: string; readonly rows: number[] } | undefined {
  const named = [...dataset.columns.keys()].flatMap((column) => {
    if (taken.has(column)) return [];
    const out = OUT.test(column.toLowerCase().replaceAll(/[^\p{L}]/gu, ""));
    const stock = namedWords(column.replaceAll("_", "")).some((word) => STOCKS.has(word));
    return out || stock ? [{ column, out }] : [];
  });
  const [found] = named;
  const cells = found && dataset.columns.get(found.column);
  const sold = dataset.columns.get(quantity) ?? [];
  if (found === undefined || cells === undefined) return undefined;
  const shares = rows.map((row) => shareIn(cells[row]));
  const isShare = shares.every((share) => !(share < 0 || share > 1)) && shares.some((share) => share < 1);
  const limited = rows.filter((row, r) => {
    const share = shares[r] ?? Number.NaN;
    if (found.out) return share > 0;
    if (isShare) return share < 1;
    const [had, units] = [numberIn(cells[row]), numberIn(sold[row])];
    return had >= 0 && units >= had;
  });
  return limited.length >= LEAST_SOLD_OUT * rows.length ? { column: found.column, rows: limited } : undefined;
}

/** Which rows a column calls a promotion; undefined without such a column. */
export function promotedRows(dataset: Dataset, rows: readonly number[]): Uint8Array | undefined {
  const column = [...dataset.columns].find(
    ([name, cells]) =>
      namedWords(name.replaceAll("_", "")).some((word) => PROMOTIONS.has(word)) &&
      rows.every((row) => [0, 1].includes(shareIn(cells[row]))),
  );
  return column && Uint8Array.from(rows, (row) => shareIn(column[1][row]));
}

/** A number, or 1 and 0 for a yes and a no; NaN for anything else. */
function shareIn(cell: string | undefined): number {
  const text = (cell ?? "").trim().toLowerCase();
  return YES.has(text) ? 1 : NO.has(text) ? 0 : numberIn(text);
}
