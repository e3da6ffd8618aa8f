import type { FocusData } from "../data/index.ts";
import { Params } from "../data/sql.ts";
import { periodOf } from "../periods/period.ts";
import { spokenPeriod } from "../periods/spoken.ts";
import type { Caller } from "../query/answer.ts";
import { callersFilters, filtersIn } from "../query/filters.ts";
import type { Filter } from "../query/types.ts";
import type { Constraint } from "../said/constraint.ts";
import { timesInQuestion } from "../said/question.ts";
import { fieldOf } from "./judge-alert.ts";
import { type Judgement, judgementOf, unknown, type Verdict, verdict, withoutBearing } from "./verdict.ts";

/** An action on savings, as far as it is judged. */
export type ProposedAction = {
  readonly type: string;
  readonly target: string;
  readonly parameters: Readonly<Record<string, unknown>>;
};

type Asked = {
  readonly constraints: readonly Constraint[];
  readonly question?: string | undefined;
  /** The days that the actions were judged by. */
  readonly judged?: { readonly from: string; readonly to: string } | undefined;
  readonly proposed: readonly ProposedAction[];
};

/** Of questions, and of budgets. */
const WITHOUT_BEARING = ["metric", "compare_to", "order", "group_by", "budget", "alert_at"];

/** The kinds of recommendations that lead to an action. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  buy_commitment: ["commitment"],
  resize: ["rightsizing"],
  stop: ["idle"],
  delete: ["orphaned", "idle"],
  change_tier: ["storage_tier"],
  reroute: ["data_transfer"],
};

/**
 * Judges whether actions are what was said, and of what the caller's bills have: each resource has charges within the scope, and no
 * commitment is for more than its provider's dearest day there. Asks the bills itself.
 * @throws FinopsError as `answerQuery`
 */
export async function judgeActions(
  data: FocusData,
  { constraints, question = "", judged, proposed }: Asked,
  caller: Caller = {},
): Promise<Judgement> {
  if (proposed.length === 0)
    return judgementOf([{ slot: "actions", verdict: "broken", message: "There is nothing to carry out." }]);
  const { period: inWords } = timesInQuestion(question, data.about);
  const isWithin = async (filters: readonly Filter[]): Promise<boolean> => {
    for (const action of proposed) if (!(await isOf(data, action, filters, caller))) return false;
    return true;
  };
  const verdicts: Verdict[] = [
    verdict("actions", await isWithin([]), "One is about something that the caller's bills do not have."),
  ];
  const selected: Filter[] = [];
  for (const { slot, op, value, scope } of constraints) {
    const field = fieldOf(slot, data.about);
    const values = [value].flat().map(String);
    if (scope !== undefined && Object.keys(scope).length > 0) verdicts.push(unknown(slot));
    else if (WITHOUT_BEARING.includes(slot)) verdicts.push(withoutBearing(slot));
    else if (op === "clear") verdicts.push(verdict(slot, true, ""));
    else if (slot === "saving_kind")
      verdicts.push(verdict(slot, areOfKind(proposed, op, values), "One is of another kind."));
    else if (slot === "top")
      verdicts.push(verdict(slot, proposed.length <= Number(value), "There are more than were asked for."));
    else if (slot === "period") {
      const said = values[0]?.replaceAll("_", " ") ?? "";
      const days = inWords ?? spokenPeriod(said, data.about.last_day) ?? said.replaceAll(" ", "_");
      verdicts.push(verdict(slot, isSpan(days, judged, data), "They were judged by other days."));
    } else if (field === undefined) verdicts.push(unknown(slot));
    else {
      const filter: Filter = { field, op: op === "except" ? "except" : "only", values };
      selected.push(filter);
      verdicts.push(verdict(slot, await isWithin([filter]), "One is of something else."));
    }
  }
  if (selected.length > 1)
    verdicts.push(verdict("actions", await isWithin(selected), "One is of something else."));
  return judgementOf(verdicts);
}

function areOfKind(actions: readonly ProposedAction[], op: string, values: readonly string[]): boolean {
  const named = values.map((value) => value.replaceAll(" ", "_"));
  return actions.every(({ type }) => {
    const isNamed = (KINDS[type] ?? []).some((kind) => named.includes(kind));
    return op === "except" ? !isNamed : isNamed;
  });
}

function isSpan(
  days: Parameters<typeof periodOf>[0],
  judged: Asked["judged"],
  { about }: FocusData,
): boolean {
  try {
    const { from, to } = periodOf(days, about);
    return judged?.from === from && judged.to === to;
  } catch {
    return false;
  }
}

async function isOf(
  data: FocusData,
  { type, target, parameters }: ProposedAction,
  filters: readonly Filter[],
  caller: Caller,
): Promise<boolean> {
  const params = new Params();
  const where = ["true", ...filtersIn([...filters, ...callersFilters(caller.rows)], params)].join(" AND ");
  if (type !== "buy_commitment") {
    const sql = `SELECT 1 AS found FROM focus.charges WHERE ${where} AND resource = ${params.add(target)} LIMIT 1`;
    return (await data.all(sql, params.values, caller.signal)).length > 0;
  }
  const rows = await data.all(
    `SELECT max(cost) AS most FROM (
      SELECT CAST(sum(coalesce(contracted, list)) AS DOUBLE) AS cost FROM focus.charges
      WHERE ${where} AND starts_with(${params.add(target)}, provider || ' ') GROUP BY day)`,
    params.values,
    caller.signal,
  );
  const most = Number(rows[0]?.most ?? 0);
  const perDay = Number(parameters.per_period) * (parameters.grain === "hour" ? 24 : 1);
  return perDay > 0 && perDay <= most;
}
