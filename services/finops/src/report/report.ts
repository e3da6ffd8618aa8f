import { findAnomalies } from "../anomaly/find.ts";
import type { FocusData } from "../data/index.ts";
import { FinopsError } from "../errors.ts";
import { inventoryOf } from "../inventory/inventory.ts";
import type { PeriodAsked } from "../periods/period.ts";
import { answerQuery, type Caller } from "../query/answer.ts";
import type { CostAnswer, Filter } from "../query/types.ts";
import { tellAnomalies, tellCosts, tellInventory } from "../texts/tell.ts";
import type { Words } from "../texts/words.ts";
import { barsOf, type Picture } from "./picture.ts";

export type ReportQuery = {
  readonly period?: PeriodAsked;
  readonly filter?: readonly Filter[];
  readonly top?: number;
};

export type Cell = string | number | null;

/** A part of a report (wire shape). */
export type Section = {
  readonly title: string;
  readonly text: string;
  readonly table?: { readonly columns: readonly string[]; readonly rows: readonly (readonly Cell[])[] };
};

export type Report = {
  readonly title: string;
  readonly sections: readonly Section[];
  readonly restricted: boolean;
  readonly rows: number;
  readonly pictures: readonly Picture[];
};

/**
 * Composes a report section by section, each of them an answer that could be asked for on its own.
 * @yields how many sections are done
 * @throws FinopsError as `answerQuery`
 */
export async function* reportOf(
  data: FocusData,
  { period = "last_month", filter = [], top = 10 }: ReportQuery,
  words: Words,
  caller: Caller = {},
): AsyncGenerator<number, Report> {
  const ask = (more: Parameters<typeof answerQuery>[1]) =>
    answerQuery(data, { filter, period, ...more }, caller);
  const total = await ask({ compare_to: "previous" }).catch((error: unknown) => {
    // The first period of the data has none before it.
    if (error instanceof FinopsError && error.code === "PERIOD_WITHOUT_DATA") return ask({});
    throw error;
  });
  yield 1;
  const trend = await answerQuery(
    data,
    { filter, period: "all", group_by: ["month", "provider"], order: "name" },
    caller,
  );
  yield 2;
  const services = await ask({ group_by: ["service"], top });
  const accounts = await ask({ group_by: ["account"], top });
  yield 3;
  const anomalies = await findAnomalies(data, { filter, period, top: 5 }, caller);
  yield 4;
  const resources = await inventoryOf(data, { filter, period, top }, caller);
  yield 5;
  const { report } = words;
  const costs = (title: string, answer: CostAnswer): Section => ({
    title,
    text: tellCosts(answer, words),
    ...tableOf(answer, words),
  });
  return {
    title: report.title(words.period(total.period)),
    sections: [
      costs(report.summary, total),
      costs(report.trend, trend),
      costs(report.services, services),
      costs(report.accounts, accounts),
      { title: report.anomalies, text: tellAnomalies(anomalies, words) },
      { title: report.resources, text: tellInventory(resources, words) },
    ],
    restricted: total.restricted,
    rows: total.rows,
    pictures: [
      ...trend.parts.map((part) => barsOf(trend, part, report.trend)),
      ...services.parts.map((part) => barsOf(services, part, report.services)),
    ],
  };
}

/** The groups, their share, and what is left. */
function tableOf({ query, parts }: CostAnswer, words: Words): Pick<Section, "table"> {
  if (query.group_by.length === 0) return {};
  const columns = [
    ...query.group_by.map((name) => words.dimension(name)),
    words.metric[query.metric],
    "%",
    words.dimension("currency"),
  ];
  const rows = parts.flatMap((part) => {
    const unit = part.currency ?? part.unit ?? null;
    const groups = part.groups.map(({ keys, names, value, percent }): Cell[] => [
      ...query.group_by.map((name) => names?.[name] ?? keys[name] ?? null),
      value,
      percent,
      unit,
    ]);
    const { other } = part;
    if (!other) return groups;
    const empty = query.group_by.slice(1).map(() => null);
    return [...groups, [words.other(String(other.groups)), ...empty, other.value, other.percent, unit]];
  });
  return { table: { columns, rows } };
}
