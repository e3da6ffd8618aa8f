import type { TaskContext } from "@interlock/agent-kit";
import {
  applySaid,
  type Constraint,
  FinopsError,
  periodOf,
  type SavingsBasis,
  type SavingsQuery,
  savingsBasisOf,
} from "@interlock/finops";
import type { DataSets } from "@interlock/finops/data";
import { RECOMMENDATION_KINDS, type RecommendationKind } from "@interlock/finops/savings";

export type BillsInputs = {
  readonly query?: SavingsQuery & { readonly kinds?: readonly RecommendationKind[]; readonly top?: number };
  readonly constraints?: readonly Constraint[];
  readonly question?: string;
};

export type FromBills = SavingsBasis & {
  readonly kinds: readonly RecommendationKind[];
  readonly top?: number;
  readonly applied: readonly Constraint[];
  readonly not_applied: readonly Constraint[];
};

const KIND = "saving_kind";
/** Slots that savings have no use for. */
const WITHOUT = ["metric", "group_by", "compare_to", "order"];

/**
 * What the caller's bills say that savings are judged by, with what was said applied.
 * @throws FinopsError
 */
export async function fromBills(
  dataSets: DataSets,
  { query = {}, constraints = [], question }: BillsInputs,
  { caller, signal }: TaskContext,
): Promise<FromBills> {
  const data = await dataSets.of(caller?.tenant);
  const asking = { rows: caller?.rows, signal };
  const { kinds: asked, top, ...own } = query;
  const of = constraints.filter(({ slot }) => slot === KIND);
  const kinds = of.reduce((left, one) => kindsIn(one, left) ?? left, asked ?? RECOMMENDATION_KINDS);
  const unknown = of.filter((one) => kindsIn(one, RECOMMENDATION_KINDS) === undefined);
  const said = await applySaid(
    data,
    {
      query: {
        ...(own.filter ? { filter: own.filter } : {}),
        ...(own.period ? { period: own.period } : {}),
        ...(top ? { top } : {}),
      },
      constraints: constraints.filter(({ slot }) => slot !== KIND),
      question,
    },
    asking,
    WITHOUT,
  );
  const { filter } = said.query;
  const isAhead = own.period === undefined && liesAhead(said.query.period, data.about.last_day);
  const period = isAhead ? undefined : said.query.period;
  const ofAhead = isAhead ? said.applied.filter(({ slot }) => slot === "period") : [];
  const basis = await savingsBasisOf(
    data,
    { ...own, ...(filter ? { filter } : {}), ...(period ? { period } : {}) },
    asking,
  );
  if (basis === undefined)
    throw new FinopsError("PERIOD_WITHOUT_DATA", "There are no charges to judge savings by.");
  return {
    ...basis,
    kinds,
    ...(said.query.top === undefined ? {} : { top: said.query.top }),
    applied: [
      ...said.applied.filter((one) => !ofAhead.includes(one)),
      ...of.filter((one) => !unknown.includes(one)),
    ],
    not_applied: [...said.not_applied, ...ofAhead, ...unknown],
  };
}

/** What was asked of a forecast before is no period of bills: it is named, and what there is is judged. */
function liesAhead(period: SavingsQuery["period"], last: string): boolean {
  if (period === undefined) return false;
  try {
    periodOf(period, { first_day: "0001-01-01", last_day: last });
    return false;
  } catch {
    return true;
  }
}

/** @returns undefined for what is no selection of kinds */
function kindsIn(
  { op, value }: Constraint,
  left: readonly RecommendationKind[],
): readonly RecommendationKind[] | undefined {
  if (op === "clear") return RECOMMENDATION_KINDS;
  const named = [value].flat().map((one) => String(one).replaceAll(" ", "_"));
  const known = RECOMMENDATION_KINDS.filter((kind) => named.includes(kind));
  if (known.length < named.length || !["set", "only", "except"].includes(op)) return undefined;
  return op === "except" ? left.filter((kind) => !known.includes(kind)) : known;
}
