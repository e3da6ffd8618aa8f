import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Bill, bill, billFiles, csv } from "../../test/bills.ts";
import { type FocusData, openFocus } from "../data/open.ts";
import type { Caller } from "../query/answer.ts";
import { type ForecastAnswer, type ForecastQuery, forecastOf } from "./forecast.ts";

const DAYS = Array.from({ length: 90 }, (_, i) =>
  new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10),
);
/** On 11 February nothing was billed at all. */
const BILLED = DAYS.filter((day) => day !== "2026-02-11");

/** A hundred a day in one account and ten in the other, and what follows rules of its own. */
const BILLS: readonly Bill[] = BILLED.flatMap((day) => {
  const on = (more: Bill) => bill({ ChargePeriodStart: `${day} 00:00:00`, ...more });
  const cost = (value: number) => ({ BilledCost: value, EffectiveCost: value });
  return [
    on(cost(100)),
    on({ ...cost(10), SubAccountId: "acc-2" }),
    on({ ...cost(30), CommitmentDiscountId: "plan", SubAccountId: "acc-2" }),
    ...(day.endsWith("-01") ? [on({ ...cost(50), ChargeCategory: "Purchase" })] : []),
    ...(day < "2026-03-01" ? [on({ ...cost(-5), ChargeCategory: "Credit" })] : []),
    ...(day === "2026-03-05" ? [on({ ...cost(-700), ChargeClass: "Correction" })] : []),
    ...(day > "2026-03-10" ? [on({ ...cost(7), BillingCurrency: "EUR", SubAccountId: "acc-3" })] : []),
  ];
});

let files: ReturnType<typeof billFiles>;
let data: FocusData;
beforeAll(async () => {
  files = billFiles({ "bills.csv": csv(BILLS) });
  data = await openFocus(files.place);
});
afterAll(() => {
  data.close();
  files.remove();
});

async function ask(query: ForecastQuery = {}, caller?: Caller): Promise<ForecastAnswer> {
  const steps = forecastOf(data, query, caller);
  let next = await steps.next();
  while (!next.done) next = await steps.next();
  return next.value;
}

function part(answer: ForecastAnswer, currency: string) {
  const found = answer.parts.find((one) => one.currency === currency);
  const costs = Object.fromEntries(found?.components.map(({ name, costs: [first] }) => [name, first]) ?? []);
  return { ...found, costs };
}

describe("a forecast from bills", () => {
  test("has each currency, and in it what follows rules of its own apart", async () => {
    const answer = await ask({ horizon: 7 });
    expect(answer).toMatchObject({ restricted: false, rows: BILLS.length });
    expect(part(answer, "USD")).toMatchObject({
      costs: { usage: expect.closeTo(110, 6), commitments: expect.closeTo(30, 6) },
      left_out: -700,
    });
    expect(part(answer, "EUR").costs).toEqual({ usage: expect.closeTo(7, 6) });
  });

  test("does not go on with credits that have ended, and never charges them", async () => {
    const [credits] =
      part(await ask({ horizon: 7 }), "USD").components?.filter(({ kind }) => kind === "credit") ?? [];
    expect(credits?.costs.every((cost) => cost <= 0 && cost > -1)).toBe(true);
  });

  test("names the day on which nothing was billed", async () => {
    const found = part(await ask({ horizon: 7 }), "USD");
    expect(found.components?.[0]?.gaps).toEqual([{ from: "2026-02-11", to: "2026-02-11", periods: 1 }]);
    expect(found.warnings).toContain("MISSING_PERIODS");
  });

  test("is of the charges that filters and the caller's rows let through", async () => {
    const filter = [{ field: "account", op: "only", values: ["acc-2"] }] as const;
    const caller = { rows: { sub_account: ["acc-2"] } };
    const [filtered, restricted] = [await ask({ filter, horizon: 7 }), await ask({ horizon: 7 }, caller)];
    expect(part(filtered, "USD").costs).toEqual({
      usage: expect.closeTo(10, 6),
      commitments: expect.closeTo(30, 6),
    });
    expect(restricted).toEqual({ ...filtered, restricted: true });
  });

  test("says how likely a budget is exceeded", async () => {
    // 90 days from 1 January end on 31 March.
    const budgets = [
      { period: "2026-04", amount: 30 * 140 + 50 + 400 },
      { period: "2026-Q1", amount: 1 },
    ];
    const { totals } = part(
      await ask({ budgets, filter: [{ field: "currency", op: "only", values: ["USD"] }] }),
      "USD",
    );
    expect(totals?.map(({ period }) => period)).toEqual(["2026-04", "2026-Q1"]);
    expect(totals?.[0]?.chance_exceeded).toBeLessThan(0.5);
    expect(totals?.[1]?.chance_exceeded).toBe(1);
  });

  test("is refused where there is nothing, or too little, to forecast from", async () => {
    const filter = (values: readonly string[]) => [{ field: "service", op: "only", values }] as const;
    await expect(ask({ filter: filter(["Nothing"]) })).rejects.toMatchObject({ code: "PERIOD_WITHOUT_DATA" });
    await expect(ask({ horizon: 365 })).rejects.toMatchObject({ code: "HORIZON_TOO_LONG" });
  });
});
