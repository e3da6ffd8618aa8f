import type { SlotDeclaration } from "../../language/index.ts";
import type { Measure } from "../../mesh/index.ts";
import type { Language } from "../wording.ts";
import type { Attributes } from "./attributes.ts";
import type { Cells } from "./cells.ts";
import { capitalised, cellText, tableOf } from "./describe-found.ts";
import { answerQuery, type Query, type Row } from "./query.ts";
import { RESULT_TEXTS } from "./result-texts.ts";

/** Says how a measure of the latest proposal differs from that of an earlier one: those values that do, and how many are the same. */
export async function compareProposals({
  one,
  now,
  measure,
  slots,
  language,
  against,
  only,
  attributes,
}: {
  one: Cells;
  now: Cells;
  measure: Measure;
  slots: readonly SlotDeclaration[];
  language: Language;
  against: "first" | "previous";
  only: Query["only"];
  attributes: Attributes;
}): Promise<string> {
  const texts = RESULT_TEXTS[language];
  const { rows } = await answerQuery({ measure, only }, { before: one, after: now }, attributes);
  const differ = rows.filter(({ values }) => values.before !== values.after);
  const same = texts.same(rows.length - differ.length, rows.length);
  if (differ.length === 0) return same;
  const difference = ({ values: { before, after } }: Row): number | undefined =>
    before === undefined || after === undefined ? undefined : after - before;
  const cell = (value: number | undefined): string => cellText(value, measure, language);
  const columns = [
    { head: texts[against], cell: ({ values }: Row) => cell(values.before) },
    { head: texts.after, cell: ({ values }: Row) => cell(values.after) },
    { head: texts.difference, cell: (row: Row) => signed(difference(row), cell) },
  ];
  const keys = slots.filter(({ name }) => differ.some((row) => row.keys[name] !== undefined));
  return [capitalised(measure.label[language]), tableOf(differ, { keys, columns, language }), same].join(
    "\n\n",
  );
}

const signed = (value: number | undefined, text: (value: number | undefined) => string): string =>
  value !== undefined && value > 0 ? `+${text(value)}` : text(value);
