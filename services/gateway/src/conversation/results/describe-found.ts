import type { SlotDeclaration } from "../../language/index.ts";
import type { Measure } from "../../mesh/index.ts";
import { inline } from "../inline-text.ts";
import type { Language } from "../wording.ts";
import type { Side } from "./cells.ts";
import type { Found, Query, Row } from "./query.ts";
import { RESULT_TEXTS } from "./result-texts.ts";

/** Rows of a table; how many more there are is said. */
const MOST_ROWS = 30;
const LONGEST_NAME = 80;

type Labelled = Pick<SlotDeclaration, "name" | "label">;

/** Says what a query has found: a sentence for one row, a table for several. */
export function describeFound(
  query: Query,
  found: Found,
  { slots, language }: { slots: readonly Labelled[]; language: Language },
): string {
  const texts = RESULT_TEXTS[language];
  const { measure, where, aggregate } = query;
  const { rows, of, sides } = found;
  const title = titleOf(query, found, language);
  if (rows.length === 0) return where ? `${title}.` : texts.none(measure.label[language]);
  const shown = query.side === undefined ? sides : sides.filter((side) => side === query.side);
  const keys = slots.filter(({ name }) => rows.some((row) => row.keys[name] !== undefined));
  const [only] = rows;
  if (rows.length === 1 && only && (!where || aggregate === undefined)) {
    const names = keys.map(({ name }) => only.keys[name] ?? "").filter((name) => name !== "");
    const values = shown.flatMap((side) => {
      const value = only.values[side];
      return value === undefined ? [] : [sayValue(value, measure, side, sides.length > 1, language)];
    });
    const head =
      names.length > 0 ? `${title}, ${names.map((name) => inline(name, LONGEST_NAME)).join(", ")}` : title;
    const among = query.order && of > 1 ? ` (1 / ${of})` : "";
    return `${head}: ${values.join(", ")}${among}.`;
  }
  const columns = shown.map((side) => ({
    head: sides.length > 1 || isSidedTable(found) ? texts[side] : measure.label[language],
    cell: (row: Row) => cellText(row.values[side], measure, language),
  }));
  return [`${title}`, tableOf(rows, { keys, columns, language })].join("\n\n");
}

const isSidedTable = ({ sides }: Found): boolean => sides.length > 1;

function sayValue(value: number, measure: Measure, side: Side, sided: boolean, language: Language): string {
  const text = valueText(value, measure, language);
  if (!sided) return text;
  const word = RESULT_TEXTS[language][side];
  return language === "ko" ? `${word} ${text}` : `${text} ${word}`;
}

function titleOf(
  { measure, where, order, aggregate }: Query,
  { rows, of }: Found,
  language: Language,
): string {
  const texts = RESULT_TEXTS[language];
  const label = measure.label[language];
  if (where) {
    const what = `${label} ${texts.where(where.is, valueText(where.value, measure, language))}`;
    return capitalised(texts.holds(what, rows.length, of, ""));
  }
  if (order)
    return measure.bySize ? texts[order === "most" ? "largest" : "smallest"](label) : texts[order](label);
  if (aggregate === "sum") return texts.sum(label);
  if (aggregate === "mean") return texts.mean(label, of);
  return capitalised(label);
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

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
