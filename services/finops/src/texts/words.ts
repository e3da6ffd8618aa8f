import type { Alert, Grain } from "../effects/alert.ts";
import type { Period } from "../periods/period.ts";
import type { MetricName } from "../query/metrics.ts";

/** The sentences of a language. Names are of the data, and are not translated. */
export type Words = {
  readonly metric: Readonly<Record<MetricName, string>>;
  dimension(name: string): string;
  period(period: Period): string;
  days(days: Pick<Period, "from" | "to">): string;
  /** "Effective cost, 2026-08-01 to 2026-08-31 (last month): $1.00 from 3 charges." */
  total(what: string, when: string, amount: string, charges: string): string;
  nothing(what: string, when: string): string;
  paidBack(gross: string, credits: string, refunds: string): string;
  compared(change: string, share: string | undefined, when: string, before: string): string;
  by(dimensions: string): string;
  other(groups: string): string;
  without(dimension: string): string;
  filter(parts: string): string;
  except(values: string): string;
  readonly restricted: string;
  missing(rows: string): string;
  moreParts(count: string): string;
  moreLines(count: string): string;
  warnings(count: string, first: string): string;
  notApplied(slots: string): string;
  readonly sample: string;
  readonly anomaly: {
    heading(count: string, when: string, groups: string): string;
    none(when: string, groups: string): string;
    line(about: {
      who: string;
      kind: string;
      from: string;
      to: string;
      lasting: boolean;
      impact: string;
      actual: string;
      expected: string;
    }): string;
    why(driver: string, change: string, contributors: string): string;
    more(count: string): string;
    readonly kinds: Readonly<Record<"spike" | "dip" | "ramp" | "step" | "fall", string>>;
    readonly drivers: Readonly<Record<"quantity" | "mix" | "price" | "other", string>>;
  };
  readonly inventory: {
    heading(resources: string, cost: string, when: string): string;
    type(name: string, resources: string, cost: string): string;
    untagged(resources: string, cost: string, share: string): string;
    /** Of each key, the share of the cost that has no such tag. */
    byKey(shares: string): string;
    idle(resources: string, cost: string, examples: string): string;
    readonly noneIdle: string;
    unmeasured(resources: string, cost: string): string;
    bare(rows: string, cost: string): string;
  };
  readonly forecast: {
    /** "Forecast effective cost, 2026-12-01 to 2026-12-31: $1.00 (80 %: $0.90 to $1.10; 95 %: …)." */
    total(about: { when: string; expected: string; p80: string; p95: string }): string;
    range(low: string, high: string): string;
    soFar(actual: string, last: string): string;
    budget(about: { budget: string; chance: string | undefined; over: string; isOver: boolean }): string;
    oneSided(tooLow: boolean): string;
    months: string;
    line(period: string, expected: string, p80: string): string;
    apart: string;
    component(name: string, cost: string, method: string, error: string): string;
    compared(name: string, methods: string): string;
    readonly components: Readonly<Record<string, string>>;
    tested(origins: string, days: string, rows: string, from: string, to: string): string;
    leftOut(amount: string): string;
    lastMonth(amount: string, period: string): string;
    readonly warnings: Readonly<Record<string, string>>;
  };
  readonly alert: {
    /** `every`: what it repeats by; `span`: the days it is within, or of. */
    proposed(about: {
      kind: Alert["kind"];
      amount: string;
      every: Grain | undefined;
      span: string | undefined;
    }): string;
    tells(spent: string, forecast: string): string;
    readonly nobodySaid: string;
    chance(about: { when: string; expected: string; range: string; chance: string | undefined }): string;
    past(about: { every: Grain; periods: number; exceeded: number; most: string }): string;
  };
  readonly report: {
    title(when: string): string;
    readonly summary: string;
    readonly trend: string;
    readonly services: string;
    readonly accounts: string;
    readonly anomalies: string;
    readonly resources: string;
    contents(sections: string): string;
  };
};
