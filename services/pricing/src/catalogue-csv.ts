import { parseCsv } from "./csv.ts";
import { PricingError } from "./errors.ts";
import type { Format } from "./format.ts";
import type { Item } from "./types.ts";

/** What a column of a catalogue can hold. */
export const FIELDS = [
  "item_id",
  "name",
  "tier",
  "current_price",
  "unit_cost",
  "quantity",
  "elasticity",
  "elasticity_se",
] as const;
export type Field = (typeof FIELDS)[number];

/** Names that columns have for a field, without case, spaces and punctuation. */
const NAMES: Readonly<Record<Field, readonly string[]>> = {
  item_id: ["itemid", "item", "sku", "id", "productid", "product", "article", "품목", "품목코드", "상품코드"],
  name: ["name", "itemname", "productname", "title", "품목명", "상품명"],
  tier: ["tier", "grade", "level", "variant", "등급"],
  current_price: [
    "currentprice",
    "price",
    "listprice",
    "unitprice",
    "salesprice",
    "가격",
    "현재가격",
    "판매가",
  ],
  unit_cost: ["unitcost", "cost", "cogs", "원가", "단위원가"],
  quantity: ["quantity", "units", "volume", "unitssold", "sold", "demand", "수량", "판매량"],
  elasticity: ["elasticity", "priceelasticity", "탄력성"],
  elasticity_se: ["elasticityse", "elasticitystderr", "elasticitystandarderror"],
};

const NEEDED: readonly Field[] = ["item_id", "current_price", "unit_cost", "quantity"];
const ONLY_TIER = "standard";
const MOST_PROBLEMS = 20;

export type CatalogueOrder = {
  readonly csv: string;
  /** Columns by field, where their names do not tell. */
  readonly columns?: Partial<Record<Field, string>>;
  /** Of all rows, where no column has it. */
  readonly elasticity?: number;
};

/** A catalogue (wire shape): inputs of the pricing tasks, and how the columns were understood. */
export type CatalogueReading = {
  readonly inputs: { tier_order: string[]; items: Item[] };
  readonly columns: Partial<Record<Field, string>>;
  /** Columns that nothing was read from. */
  readonly unused: string[];
  readonly rows: number;
  readonly summary: string;
};

/**
 * Reads a catalogue of one row for each price. All rows are read, or none.
 * @throws PricingError INVALID_DATASET for what is no table, INVALID_CATALOGUE for columns and cells that cannot be used. Messages have names
 *   of columns, numbers of rows and kinds of values, and no values.
 */
export function readCatalogue(
  { csv, columns: given = {}, elasticity }: CatalogueOrder,
  { texts }: Format,
): CatalogueReading {
  const { rows, columns: cells } = parseCsv(csv, "csv");
  const headers = [...cells.keys()];
  for (const [field, column] of Object.entries(given))
    if (!cells.has(column))
      throw refused([`there is no column for ${field} of that name; the columns are ${headers.join(", ")}`]);
  const columns = columnsOf(headers, given);
  const missing = [
    ...NEEDED.filter((field) => columns[field] === undefined),
    ...(columns.elasticity === undefined && elasticity === undefined ? ["elasticity" as const] : []),
  ];
  if (missing.length > 0)
    throw refused(
      missing.map(
        (field) =>
          `no column is for ${field}; the columns are ${headers.join(", ")}. Name one: {"columns": {"${field}": …}}` +
          (field === "elasticity" ? ', or give one for all rows: {"elasticity": -2}' : ""),
      ),
    );
  const problems: string[] = [];
  const cell = (field: Field, row: number): string => cells.get(columns[field] ?? "")?.[row] ?? "";
  const numberAt = (field: Field, row: number, above = Number.NEGATIVE_INFINITY): number => {
    const text = cell(field, row);
    const value = Number(text);
    // The first row below the header is row 2, as spreadsheets count.
    const where = `row ${row + 2}: ${columns[field]} (${field})`;
    if (text === "") problems.push(`${where} is empty`);
    else if (!Number.isFinite(value))
      problems.push(`${where} is ${kindOf(text)}, and must be a number such as 12.50`);
    else if (value <= above) problems.push(`${where} must be above ${above}`);
    return value;
  };
  const items = new Map<string, Item>();
  const prices = new Map<string, number[]>();
  for (let row = 0; row < rows; row++) {
    const item_id = cell("item_id", row);
    if (item_id === "") problems.push(`row ${row + 2}: ${columns.item_id} (item_id) is empty`);
    const tier = columns.tier === undefined ? ONLY_TIER : cell("tier", row);
    if (tier === "") problems.push(`row ${row + 2}: ${columns.tier} (tier) is empty`);
    const price = numberAt("current_price", row, 0);
    const unit_cost = numberAt("unit_cost", row, 0);
    const quantity = numberAt("quantity", row, 0);
    const slope = columns.elasticity === undefined ? (elasticity ?? 0) : numberAt("elasticity", row);
    if (slope >= 0) problems.push(`row ${row + 2}: the elasticity must be below 0`);
    const error = columns.elasticity_se === undefined ? undefined : numberAt("elasticity_se", row, 0);
    const name = cell("name", row);
    const item = items.get(item_id) ?? { item_id, ...(name === "" ? {} : { name }), tiers: {} };
    if (Object.hasOwn(item.tiers, tier))
      problems.push(`row ${row + 2}: its item has that tier in an earlier row`);
    item.tiers[tier] = {
      current_price: price,
      unit_cost,
      demand: {
        model: "constant_elasticity",
        reference_price: price,
        reference_quantity: quantity,
        elasticity: slope,
        ...(error === undefined ? {} : { elasticity_se: error }),
      },
    };
    items.set(item_id, item);
    prices.set(tier, [...(prices.get(tier) ?? []), price]);
  }
  if (rows === 0) problems.push("there are no rows below the header");
  if (problems.length > 0) throw refused(problems, rows);
  const used = new Set(Object.values(columns));
  const unused = headers.filter((header) => !used.has(header));
  return {
    inputs: { tier_order: dearestFirst(prices), items: [...items.values()] },
    columns,
    unused,
    rows,
    summary: texts.catalogueRead({
      rows,
      items: items.size,
      columns: Object.entries(columns).map(([field, column]) => `${column} → ${field}`),
      unused,
      tiers: dearestFirst(prices),
      elasticity: columns.elasticity === undefined ? elasticity : undefined,
    }),
  };
}

/** A column counts for the first field that its name is for. */
function columnsOf(
  headers: readonly string[],
  given: Partial<Record<Field, string>>,
): Partial<Record<Field, string>> {
  const taken = new Set(Object.values(given));
  const columns: Partial<Record<Field, string>> = { ...given };
  for (const field of FIELDS) {
    if (columns[field] !== undefined) continue;
    for (const name of NAMES[field]) {
      const found = headers.find((header) => !taken.has(header) && plain(header) === name);
      if (found === undefined) continue;
      columns[field] = found;
      taken.add(found);
      break;
    }
  }
  return columns;
}

const plain = (header: string): string => header.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

function dearestFirst(prices: ReadonlyMap<string, readonly number[]>): string[] {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return [...prices].sort(([, a], [, b]) => mean(b) - mean(a)).map(([tier]) => tier);
}

/** What a cell holds in place of a number, without quoting it. */
function kindOf(text: string): string {
  if (/^[^\d]*\d{1,3}(?:[.,\s]\d{3})+(?:[.,]\d+)?[^\d]*$/.test(text))
    return "a number with thousands separators or a unit";
  if (/^-?\d+,\d+$/.test(text)) return "a number with a decimal comma";
  return /\d/.test(text) ? "a text with digits" : "a text";
}

function refused(problems: readonly string[], rows?: number): PricingError {
  const shown = problems.slice(0, MOST_PROBLEMS);
  const more = problems.length > shown.length ? `; and ${problems.length - shown.length} more` : "";
  const of = rows === undefined ? "" : `${problems.length} problems in ${rows} rows: `;
  return new PricingError(
    "INVALID_CATALOGUE",
    `The catalogue cannot be read: ${of}${shown.join("; ")}${more}.`,
    {
      problems: problems.length,
    },
  );
}
