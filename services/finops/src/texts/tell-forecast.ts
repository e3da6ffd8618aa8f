import type { ExpectAnswer, ExpectPart } from "../bills/expect.ts";
import { amountsIn } from "./language.ts";
import { filterText } from "./tell.ts";
import type { Words } from "./words.ts";

/** Methods that are named beside the best one. */
const MOST_METHODS = 4;

/** What a period is expected to cost, how sure that is, and whether a budget will do. */
export function tellForecast(answer: ExpectAnswer, words: Words): string {
  const { parts, filter, restricted, data } = answer;
  const lines = parts.flatMap((part) => partLines(part, answer, words));
  if (filter.length > 0) lines.push(words.filter(filter.map((one) => filterText(one, words)).join("; ")));
  if (restricted) lines.push(words.restricted);
  if (data.warnings.length > 0)
    lines.push(words.warnings(String(data.warnings.length), String(data.warnings[0])));
  return lines.join("\n");
}

function partLines(part: ExpectPart, { period, data, rows }: ExpectAnswer, words: Words): string[] {
  const { forecast } = words;
  const { total, totals, components, accuracy, left_out, warnings, currency, last_month } = part;
  const { amount, format } = amountsIn({ currency });
  const range = ([low, high]: readonly [number, number]) => forecast.range(amount(low), amount(high));
  const lines = [
    forecast.total({
      when: words.days(period),
      expected: amount(total.expected),
      p80: range(total.p80),
      p95: range(total.p95),
    }),
  ];
  if (total.actual !== 0) lines.push(forecast.soFar(amount(total.actual), data.last_day));
  if (total.budget !== undefined) {
    const chance = total.chance_exceeded ?? undefined;
    lines.push(
      forecast.budget({
        budget: amount(total.budget),
        chance: chance === undefined ? undefined : chanceText(chance, format.share),
        over: amount(Math.abs(total.expected - total.budget)),
        isOver: total.expected > total.budget,
      }),
    );
    // A budget above the forecast that is still likely to be exceeded: earlier forecasts erred to one side.
    if (chance !== undefined && chance > 0.5 !== total.expected > total.budget && chance !== 0.5)
      lines.push(forecast.oneSided(chance > 0.5));
  }
  const months = totals.filter(
    (one) => one.period >= period.from.slice(0, 7) && one.period <= period.to.slice(0, 7),
  );
  if (months.length > 1)
    lines.push(
      forecast.months,
      ...months.map((one) => `- ${forecast.line(one.period, amount(one.expected), range(one.p80))}`),
    );
  if (last_month !== null) lines.push(forecast.lastMonth(amount(last_month), lastMonthOf(data.last_day)));
  lines.push(forecast.apart);
  const isOf = part.points.map((point) => point.period >= period.from && point.period <= period.to);
  const ahead = (costs: readonly number[]) =>
    costs.reduce((sum, cost, index) => (isOf[index] ? sum + cost : sum), 0);
  for (const { name, method, mase, costs } of components)
    lines.push(
      `- ${forecast.component(
        forecast.components[name] ?? name,
        amount(ahead(costs)),
        method.replaceAll("_", " "),
        mase === null ? "" : ` (MASE ${mase.toFixed(2)})`,
      )}`,
    );
  const usage = components.find(({ name }) => name === "usage");
  if (usage && usage.compared.length > 1)
    lines.push(
      forecast.compared(
        forecast.components.usage ?? usage.name,
        usage.compared
          .slice(0, MOST_METHODS)
          .map(
            ({ method, mase }) => `${method.replaceAll("_", " ")} ${mase === null ? "–" : mase.toFixed(2)}`,
          )
          .join(", "),
      ),
    );
  if (left_out !== 0) lines.push(forecast.leftOut(amount(left_out)));
  lines.push(
    forecast.tested(
      String(accuracy.origins),
      String(accuracy.tested_horizon),
      format.count(rows),
      data.first_day,
      data.last_day,
    ),
    ...warnings.flatMap((code) => forecast.warnings[code] ?? []),
  );
  return lines;
}

/** A chance that is not quite 0 or 1 is not told as that. */
export function chanceText(chance: number, share: (value: number, digits?: number) => string): string {
  if (chance > 0 && chance < 0.01) return "< 1 %";
  if (chance < 1 && chance > 0.99) return "> 99 %";
  return share(chance, 2);
}

function lastMonthOf(day: string): string {
  const [year = 0, month = 0] = day.split("-").map(Number);
  return month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, "0")}`;
}
