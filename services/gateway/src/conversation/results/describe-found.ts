import type { SlotDeclaration } from "../../language/index.ts";
import type { Measure } from "../../mesh/index.ts";
import { inline } from "../inline-text.ts";
import type { Language } from "../wording.ts";
import type { Found, Query, Row } from "./query.ts";
import { RESULT_TEXTS } from "./result-texts.ts";

/** Rows of a table; how many more there are is said. */
const MOST_ROWS = 30;
const LONGEST_NAME = 80;

type Labelled = Pick<SlotDeclaration, "name" | "label">;

/**
 * Says what a query has found: a sentence for one row, a table for several.
 * @param isSided whether the measure has one value before and another one after
 */
export function describeFound(
  query: Query,
  found: Found,
  { slots, language, isSided }: { slots: readonly Labelled[]; language: Language; isSided: boolean },
): string {
  const texts = RESULT_TEXTS[language];
  const { measure, where, order, aggregate, side: asked } = query;
  const { rows, sides } = found;
  const label = measure.label[language];
  const title = titleOf(query, found, language);
  if (rows.length === 0) return where ? `${title}.` : texts.none(label);
  const shown = asked === undefined ? sides : sides.filter((side) => side === asked);
  const keys = slots.filter(({ name }) => rows.some((row) => row.keys[name] !== undefined));
  const [only] = rows;
  if (rows.length === 1 && only && (!where || order)) {
    const names = keys.flatMap(({ name }) => only.keys[name] ?? []).map((name) => inline(name, LONGEST_NAME));
    const values = shown.flatMap((side) => {
      const value = only.values[side];
      const text = value === undefined ? undefined : valueText(value, measure, language);
      return text === undefined ? [] : [isSided ? texts.at(text, texts[side]) : text];
    });
    return `${[title, ...names].join(", ")}: ${values.join(", ")}.`;
  }
  const columns = shown.map((side) => ({
    head: isSided ? texts[side] : label,
    cell: (row: Row) => cellText(row.values[side], measure, language),
  }));
  const table = tableOf(rows, { keys, columns, language });
  // The head of its column says what a table without anything else is of.
  return isSided || where || order || aggregate ? [title, table].join("\n\n") : table;
}

function titleOf(
  { measure, where, order, aggregate, by }: Query,
  { rows, of }: Found,
  language: Language,
): string {
  const texts = RESULT_TEXTS[language];
  const label = measure.label[language];
  const what = where ? `${label} ${texts.where(where.is, valueText(where.value, measure, language))}` : label;
  if (order) {
    const about = where?.is === "!=" ? label : what;
    const bySize = measure.bySize || (where?.is === "<" && where.value === 0);
    return bySize ? texts[order === "most" ? "largest" : "smallest"](about) : texts[order](about);
  }
  if (where) return capitalised(texts.holds(what, rows.length, of));
  if (aggregate === "sum") return texts.sum(label);
  if (aggregate === "mean") return texts.mean(label, by === undefined ? of : undefined);
  return capitalised(label);
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

type Column = { head: string; cell: (row: Row) => string };

/** A table in Markdown. */
export function tableOf(
  rows: readonly Row[],
  { keys, columns, language }: { keys: readonly Labelled[]; columns: readonly Column[]; language: Language },
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const name = (text: string): string => inline(text, LONGEST_NAME).replaceAll("|", "\\|");
  const heads = [...keys.map(({ label }) => label[language]), ...columns.map(({ head }) => head)];
  const lines = rows
    .slice(0, MOST_ROWS)
    .map((row) =>
      line([...keys.map((key) => name(row.keys[key.name] ?? "")), ...columns.map(({ cell }) => cell(row))]),
    );
  const left = rows.length - MOST_ROWS;
  return [
    line(heads),
    line([...keys.map(() => "---"), ...columns.map(() => "---:")]),
    ...lines,
    ...(left > 0 ? ["", RESULT_TEXTS[language].more(left)] : []),
  ].join("\n");
}

export const cellText = (value: number | undefined, measure: Measure, language: Language): string =>
  value === undefined ? "–" : valueText(value, measure, language);

const DIGITS: Readonly<Record<Measure["kind"], Intl.NumberFormatOptions>> = {
  percent: { maximumFractionDigits: 2 },
  money: { minimumFractionDigits: 2, maximumFractionDigits: 2 },
  number: { maximumFractionDigits: 3 },
  count: { maximumFractionDigits: 0 },
};

/** A value as people write it; changes have their sign. */
export function valueText(value: number, { kind, derived }: Measure, language: Language): string {
  const format = new Intl.NumberFormat(language === "ko" ? "ko-KR" : "en-US", {
    ...DIGITS[kind],
    signDisplay: derived?.is === "change" ? "exceptZero" : "negative",
  });
  const text = format.format(kind === "percent" ? value * 100 : value).replace("-", "−");
  return kind === "percent" ? `${text} %` : text;
}
