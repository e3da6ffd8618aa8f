import type { OrderConstraint } from "../constraints/constraint.ts";
import type { AppliedConstraint } from "../constraints/types.ts";
import type { Failure } from "../failures.ts";
import type { PolicyInputs, PolicyItem, Suggestion, Violation } from "../policy-types.ts";
import type { Table } from "../price-table.ts";
import type { ProposalTotals } from "../proposal.ts";
import type { ItemOutcome } from "../proposal-outcomes.ts";
import type { ProposedItem } from "../types.ts";

/** Money per period. */
export type Figures = { profit: number; revenue: number };

/** What the optimizer answered, without what only it needs (wire shape). */
export type Optimized = {
  proposed?: ProposedItem[];
  outcomes?: ItemOutcome[];
  totals?: Pick<ProposalTotals, "at_todays_costs"> & { current: Figures; expected: Figures };
  objective?: "profit" | "revenue";
  failures?: Failure[];
  warnings?: string[];
  applied?: AppliedConstraint[];
  not_applied?: OrderConstraint[];
  tables?: Table[];
};

type Judged = { violations?: Violation[]; suggestions?: Suggestion[] };

/** What the policy check answered about the proposal, and about today's prices (wire shape). */
export type Checked = Judged & { passed?: boolean; current?: Judged };

/** The inputs of a review: those of the pricing tasks, and what the other agents made of them (wire shape). */
export type ReportInputs = Omit<PolicyInputs, "items" | "prices" | "item_id" | "proposed"> & {
  items: PolicyItem[];
  optimized?: Optimized;
  checked?: Checked;
  /** How often the proposal was checked; it was repaired between two checks. */
  rounds?: number;
  /** The proposal as it came out of the checks; default that of the optimizer. */
  proposed?: ProposedItem[];
  explained?: { summary?: string };
  tested?: { summary?: string; totals?: { robustness?: unknown } };
};

/** What an approver is shown (wire shape). */
export type ShownReport = {
  /** Today's prices, where `proposed` has others. */
  before: ProposedItem[];
  totals?: NonNullable<Optimized["totals"]>;
  failures: Failure[];
  violations: Violation[];
  violations_before: Violation[];
  robustness?: unknown;
  drivers?: string;
  applied: AppliedConstraint[];
  not_applied: OrderConstraint[];
};

/** A review (wire shape). */
export type PricingReport = {
  summary: string;
  proposed: ProposedItem[];
  shown: ShownReport;
  /** The prices as a table, with the reason of each. */
  tables: Table[];
};
