import type { Anomaly, AnomalyAnswer } from "../anomaly/find.ts";
import type { InventoryAnswer, InventoryPart } from "../inventory/inventory.ts";
import type { CostAnswer, Filter, Group, Part } from "../query/types.ts";
import { amountsIn } from "./language.ts";
import type { Words } from "./words.ts";

/** Lines of a list in a summary; the outputs have all of them. */
const MOST_LINES = 40;
const MOST_TYPES = 10;

/** The answer to a question about costs, in sentences and lists. */
export function tellCosts(answer: CostAnswer, words: Words): string {
  const { query, period, parts, restricted, more_parts, data } = answer;
  const what = words.metric[query.metric];
  const when = words.period(period);
  const lines: string[] = parts.length === 0 ? [words.nothing(what, when)] : [];
  for (const part of parts) lines.push(...partLines(part, answer, words));
  if (query.filter.length > 0)
    lines.push(words.filter(query.filter.map((one) => filterText(one, words)).join("; ")));
  if (restricted) lines.push(words.restricted);
  if (more_parts > 0) lines.push(words.moreParts(String(more_parts)));
  if (data.warnings.length > 0)
    lines.push(words.warnings(String(data.warnings.length), String(data.warnings[0])));
  return lines.join("\n");
}

function partLines(part: Part, { query, period, compared_with }: CostAnswer, words: Words): string[] {
  const { amount, format } = amountsIn(part);
  const lines = [
    words.total(
      words.metric[query.metric],
      words.period(period),
      amount(part.total),
      format.count(part.rows),
    ),
  ];
  if (part.gross !== undefined && (part.credits !== 0 || part.refunds !== 0))
    lines.push(words.paidBack(amount(part.gross), amount(part.credits ?? 0), amount(part.refunds ?? 0)));
  if (part.rows_without_value !== undefined) lines.push(words.missing(format.count(part.rows_without_value)));
  if (compared_with && part.previous !== undefined && part.change !== undefined) {
    const share = part.change_share ?? undefined;
    lines.push(
      words.compared(
        signed(part.change, amount),
        share === undefined ? undefined : format.signedShare(share),
        words.period(compared_with),
        amount(part.previous),
      ),
    );
  }
  if (query.group_by.length === 0 || part.groups.length === 0) return lines;
  lines.push(words.by(query.group_by.map((name) => words.dimension(name)).join(", ")));
  const shown = part.groups.slice(0, MOST_LINES);
  const line = (name: string, { value, percent, change }: Pick<Group, "value" | "percent" | "change">) =>
    `- ${name}: ${amount(value)}${percent === null ? "" : ` (${percent.toFixed(1)} %)`}${change === undefined ? "" : `, ${signed(change, amount)}`}`;
  lines.push(...shown.map((group) => line(nameOf(group, words), group)));
  if (part.groups.length > shown.length)
    lines.push(words.moreLines(String(part.groups.length - shown.length)));
  if (part.other) lines.push(line(words.other(String(part.other.groups)), part.other));
  return lines;
}

function nameOf({ keys, names }: Pick<Group, "keys" | "names">, words: Words): string {
  return Object.entries(keys)
    .map(([name, key]) => names?.[name] ?? key ?? words.without(words.dimension(name)))
    .join(", ");
}

/** "provider AWS", "region not us-east-1". */
export function filterText({ field, op, values }: Filter, words: Words): string {
  const named = values.map((value) => value ?? words.without(words.dimension(field))).join(", ");
  return `${words.dimension(field)} ${op === "only" ? named : words.except(named)}`;
}

function signed(value: number, amount: (value: number) => string): string {
  return `${value > 0 ? "+" : value < 0 ? "−" : "±"}${amount(Math.abs(value))}`;
}

/** What was unusual, and why. */
export function tellAnomalies(
  { anomalies, period, looked_at, more, restricted }: AnomalyAnswer,
  words: Words,
): string {
  const { anomaly } = words;
  const when = words.period(period);
  const groups = String(looked_at.groups);
  const lines = [
    anomalies.length === 0
      ? anomaly.none(when, groups)
      : anomaly.heading(String(anomalies.length + more), when, groups),
    ...anomalies.flatMap((one) => anomalyLines(one, words)),
    ...(more > 0 ? [anomaly.more(String(more))] : []),
    ...(restricted ? [words.restricted] : []),
  ];
  return lines.join("\n");
}

function anomalyLines(one: Anomaly, words: Words): string[] {
  const { anomaly } = words;
  const { amount } = amountsIn({ currency: one.currency });
  const contributors = one.contributors
    .filter(({ key, change }) => key !== null && Math.abs(change) > 0.2 * Math.abs(one.change_per_day))
    .slice(0, 3)
    .map(({ field, key, change }) => `${words.dimension(field)} ${key} ${signed(change, amount)}`);
  return [
    `- ${anomaly.line({
      who: nameOf(one, words),
      kind: anomaly.kinds[one.kind],
      from: one.first_day,
      to: one.last_day,
      lasting: one.lasting,
      impact: signed(one.impact, amount),
      actual: amount(one.actual),
      expected: amount(one.expected),
    })}`,
    `  ${anomaly.why(anomaly.drivers[one.main_driver], signed(one.drivers[one.main_driver], amount), contributors.join(", ") || "–")}`,
  ];
}

/** What there is. */
export function tellInventory({ parts, period, restricted }: InventoryAnswer, words: Words): string {
  const when = words.period(period);
  const lines = parts.flatMap((part) => inventoryLines(part, when, words));
  if (lines.length === 0) lines.push(words.inventory.heading("0", "0", when));
  if (restricted) lines.push(words.restricted);
  return lines.join("\n");
}

function inventoryLines(part: InventoryPart, when: string, words: Words): string[] {
  const { inventory } = words;
  const { amount, format } = amountsIn({ currency: part.currency });
  const share = (value: number | null) => (value === null ? "–" : format.share(value, 3));
  const some = ({ resources, cost }: { resources: number; cost: number }) =>
    [format.count(resources), amount(cost)] as const;
  const lines = [
    inventory.heading(...some(part), when),
    ...part.types
      .slice(0, MOST_TYPES)
      .map(
        ({ service, resource_type, ...one }) =>
          `- ${inventory.type([service, ...(resource_type ? [resource_type] : [])].join(", "), ...some(one))}`,
      ),
    inventory.untagged(...some(part.untagged), share(part.untagged.share)),
  ];
  if (part.untagged_by_key.length > 0)
    lines.push(
      inventory.byKey(part.untagged_by_key.map(({ key, share: own }) => `${key} ${share(own)}`).join(", ")),
    );
  lines.push(
    part.idle.resources === 0
      ? inventory.noneIdle
      : inventory.idle(...some(part.idle), part.idle.examples.slice(0, 5).join(", ")),
  );
  if (part.without_usage_data.resources > 0)
    lines.push(inventory.unmeasured(...some(part.without_usage_data)));
  if (part.charges_without_resource.rows > 0)
    lines.push(
      inventory.bare(
        format.count(part.charges_without_resource.rows),
        amount(part.charges_without_resource.cost),
      ),
    );
  return lines;
}
