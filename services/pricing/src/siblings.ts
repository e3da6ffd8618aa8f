import type { Dataset } from "./csv.ts";
import type { Fit } from "./types.ts";

/** So many other items are enough for what an elasticity is like; a catalogue of thousands costs no more. */
export const MOST_SIBLINGS = 40;

/**
 * The same fit for other values of the columns by which it selects its rows: what it has in common with other items, stores or
 * tiers of the dataset. Of many, some that are spread evenly over their names, the same for every item.
 */
export function siblingsOf(spec: Fit, dataset: Dataset): Fit[] {
  const where = Object.entries(spec.where ?? {});
  const columns = where.map(([name]) => dataset.columns.get(name));
  if (where.length === 0 || columns.some((cells) => cells === undefined)) return [];
  const found = new Map<string, number>();
  for (let row = 0; row < dataset.rows; row++) {
    const key = columns.map((cells) => cells?.[row]).join("\n");
    if (!found.has(key)) found.set(key, row);
  }
  const all = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  const stride = Math.max(1, all.length / MOST_SIBLINGS);
  const some = Array.from(
    { length: Math.min(all.length, MOST_SIBLINGS) },
    (_, k) => all[Math.floor(k * stride)],
  );
  return some.map((row = 0) => ({
    ...spec,
    where: Object.fromEntries(
      where.map(([name, value], c) => {
        const cell = columns[c]?.[row] ?? "";
        return [name, typeof value === "number" ? Number(cell) : cell];
      }),
    ),
  }));
}
