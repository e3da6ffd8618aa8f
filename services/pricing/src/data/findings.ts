/** What the data gate can find. */
export type FindingCode = keyof typeof TABLE;

/**
 * What follows from a finding. `refuse`: no price can rest on these rows, today's is kept. `exclude`: some rows are left out.
 * `warn`: the proposal carries a warning. `note`: the method was adapted, or nothing needs to be done.
 */
export type FindingAction = "refuse" | "exclude" | "warn" | "note";

/** One finding about the rows of a fit (wire shape). */
export type Finding = {
  code: FindingCode;
  action: FindingAction;
  /** How many rows it is about. */
  rows: number;
  /** The first of them, as lines of the file: the header is line 1. */
  lines: number[];
  /** The column that it is about. */
  column?: string;
  /** Its effect on the answer, and the remedy; sentences. */
  effect: string;
  remedy: string;
};

type Entry = { readonly action: FindingAction; readonly effect: string; readonly remedy: string };

/** The simulation study, scripts/pricing-study/report.md, justifies the actions. */
const TABLE = {
  mixed_currency: {
    action: "refuse",
    effect: "prices are in several currencies, so that they cannot be compared",
    remedy: "choose the rows of one currency with `where`, or convert the prices",
  },
  mixed_units: {
    action: "refuse",
    effect: "quantities are in several units, so that prices per unit cannot be compared",
    remedy: "choose the rows of one unit with `where`, or convert prices and quantities",
  },
  price_levels_apart: {
    action: "refuse",
    effect: "the prices are of two levels far apart, as if units, packs, currencies or products were mixed",
    remedy: "bring all rows to one unit and currency, or choose the rows of one with `where`",
  },
  odd_price: {
    action: "exclude",
    effect: "single prices lie far from all others, as typos do; their rows are left out",
    remedy: "correct the prices in the file",
  },
  odd_quantity: {
    action: "exclude",
    effect: "single quantities lie far from what the price explains, as typos do; their rows are left out",
    remedy: "correct the quantities in the file, or name what moved them as a control",
  },
  duplicate_rows: {
    action: "exclude",
    effect:
      "rows repeat far more often than chance does; each is used once, or the interval would be too narrow",
    remedy: "remove the repeated rows, or add the column that tells them apart",
  },
  zeros_excluded: {
    action: "exclude",
    effect:
      "sales are zero where they cannot be by chance and whatever the price, as on closed days; these rows are left out",
    remedy: "add a column that says when the item was on sale",
  },
  suspicious_zeros: {
    action: "warn",
    effect:
      "sales are zero more often than chance explains, and the price does not tell when: stock-outs bias the elasticity",
    remedy: "add a column with the stock, or leave out periods in which the item was not on sale",
  },
  sold_out: {
    action: "note",
    effect: "sales reach the stock in some rows; demand there is taken to be at least what was sold",
    remedy: "nothing needs to be done; recorded lost sales would narrow the interval",
  },
  sold_out_not_modelled: {
    action: "warn",
    effect:
      "sales reach the stock in some rows, which the estimate does not allow for (rows without sales, a requested estimator, or most rows sold out): it is biased towards 0",
    remedy: "leave out periods that sold out at low and at high prices alike, or record lost sales",
  },
  capped_sales: {
    action: "note",
    effect:
      "many rows share the largest quantity, as if stock had run out; demand there is taken to be at least that",
    remedy: "add a column with the stock",
  },
  stockpiling: {
    action: "refuse",
    effect:
      "sales fall in the periods after a low price: buyers stock up, and the elasticity of lasting prices is smaller",
    remedy: "test a lasting price, or name the promotion as a control",
  },
  promotions_excluded: {
    action: "exclude",
    effect:
      "buyers stock up in promotions; these and the two periods after each are left out, so that the elasticity is that of lasting prices",
    remedy: "name the promotions in a column, if others were taken for them",
  },
  level_break: {
    action: "note",
    effect: "prices and sales shift to another level together; the shift is taken out of the elasticity",
    remedy: "name what changed as a control, or use the rows after it",
  },
  price_trend: {
    action: "note",
    effect: "prices drift over time, as with inflation; a trend is taken out of the elasticity",
    remedy: "use prices of one year's money",
  },
  prices_follow_demand: {
    action: "refuse",
    effect:
      "prices rise or fall with the sales of the period before: they follow demand, which passes for the effect of the price",
    remedy:
      "name what moves both as a control, or use prices that were changed for other reasons, as in a test",
  },
  prices_follow_said: {
    action: "refuse",
    effect:
      "prices followed demand or rivals, as the request says: what moved them passes for the effect of the price",
    remedy:
      "name the rivals' prices, or what moved demand, as a control, and take them out of `prices_follow`",
  },
  few_price_changes: {
    action: "warn",
    effect: "the price changes too rarely to tell its effect from anything else that changed then",
    remedy: "vary the price, or add places where it differs",
  },
  time_not_read: {
    action: "warn",
    effect: "the time column is in no known form, so that season and order are unknown",
    remedy: "write the periods as dates (2026-01-05), weeks (2026-W01), months (2026-01) or numbers",
  },
  time_ambiguous: {
    action: "note",
    effect: "the dates can be read with the day or the month first; the more even series was chosen",
    remedy: "write the dates as 2026-01-05",
  },
  time_guessed: {
    action: "note",
    effect: "no column is named as the time; this one counts the periods",
    remedy: "name it with `time`",
  },
  place_guessed: {
    action: "note",
    effect:
      "no column is named as the place; this one tells apart the rows of a period, and errors are taken to depend within it",
    remedy: "name it with `cluster` and `fixed_effects`",
  },
} as const satisfies Record<string, Entry>;

export const FINDING_CODES = Object.keys(TABLE) as FindingCode[];
export const FINDING_ACTIONS = ["refuse", "exclude", "warn", "note"] as const;

/** The findings about the rows of a fit, in an answer. */
export const findingsSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["code", "action", "rows", "lines", "effect", "remedy"],
    properties: {
      code: { enum: FINDING_CODES },
      action: { enum: FINDING_ACTIONS },
      rows: { type: "integer", description: "How many rows it is about; 0 if it is about all" },
      lines: { type: "array", items: { type: "integer" }, description: "Lines of the file, at most 10" },
      column: { type: "string" },
      effect: { type: "string" },
      remedy: { type: "string" },
    },
  },
  description: "What the data gate found; `refuse` keeps the price, `exclude` left rows out",
} as const;

const MOST_LINES = 10;

/** A finding about these rows of the dataset, with the action of the table. */
export function findingOf(code: FindingCode, rows: readonly number[], column?: string): Finding {
  const { action, effect, remedy } = TABLE[code];
  const lines = rows.slice(0, MOST_LINES).map((row) => row + 2);
  return { code, action, rows: rows.length, lines, ...(column !== undefined && { column }), effect, remedy };
}

/** The finding as a sentence for warnings. */
export function sentenceOf({ effect, remedy, rows, lines, column }: Finding): string {
  const about = column === undefined ? "" : ` in column ${column}`;
  const where = lines.length > 0 ? ` (${rows} rows${about}, from line ${lines[0]})` : about;
  return `${effect}${where}; ${remedy}.`;
}
