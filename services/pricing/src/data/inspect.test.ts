import { describe, expect, test } from "@jest/globals";
import { parseCsv } from "../csv.ts";
import { fitDemand } from "../fit.ts";
import { normalQuantile } from "../normal.ts";
import { makeRng } from "../rng.ts";
import type { Fit } from "../types.ts";
import { inspectRows } from "./inspect.ts";
import { supportOf } from "./support.ts";

const SPEC: Fit = { model: "fit", dataset: "sales", price: "price", quantity: "quantity" };

type Row = { week: number; price: number; quantity: number };

/** Two years of clean weeks with elasticity −2. */
function weeks(): Row[] {
  const rng = makeRng(11, "gate");
  const normal = () => normalQuantile(rng());
  return Array.from({ length: 104 }, (_, week) => {
    const price = 10 * Math.exp(0.15 * normal());
    return { week: week + 1, price, quantity: 4000 * price ** -2 * Math.exp(0.1 * normal()) };
  });
}

function fitOf(rows: readonly (readonly (string | number)[])[], header = "week,price,quantity") {
  const dataset = parseCsv([header, ...rows.map((row) => row.join(","))].join("\n"), "sales");
  const all = [...Array(dataset.rows).keys()];
  return { ...fitDemand(SPEC, dataset, all), passed: inspectRows(SPEC, dataset, all).rows };
}

const cells = (rows: readonly Row[]) =>
  rows.map(({ week, price, quantity }) => [week, price.toFixed(2), quantity.toFixed(1)]);
const codes = ({ report }: ReturnType<typeof fitOf>) => report.findings?.map(({ code }) => code) ?? [];

describe("the data gate", () => {
  test("finds nothing in clean weeks, and uses all of them", () => {
    const fit = fitOf(cells(weeks()));
    expect(codes(fit)).toEqual([]);
    expect(fit.report.n).toBe(104);
  });

  test("leaves out a slipped point, and says on which line", () => {
    const rows = weeks();
    const wrong = rows.map((row, r) => (r === 40 ? { ...row, price: row.price * 100 } : row));
    const fit = fitOf(cells(wrong));
    expect(fit.report.findings).toMatchObject([
      { code: "odd_price", action: "exclude", rows: 1, lines: [42] },
    ]);
    expect(fit.report.observed_range.high).toBeLessThan(20);
    const quantity = rows.map((row, r) => (r === 7 ? { ...row, quantity: row.quantity * 100 } : row));
    expect(fitOf(cells(quantity)).report.findings).toMatchObject([{ code: "odd_quantity", lines: [9] }]);
  });

  test.each([6, 12, 100])("refuses prices of which a third are %i times the others", (factor) => {
    const fit = fitOf(
      cells(weeks().map((row, r) => (r % 3 === 0 ? { ...row, price: row.price * factor } : row))),
    );
    expect(codes(fit)).toContain("price_levels_apart");
    expect(fit.report).toMatchObject({ identified: false, reason: expect.stringMatching(/far apart/) });
  });

  test("a half price is a promotion, not another unit", () => {
    const fit = fitOf(weeks().map(({ week, quantity }, r) => [week, r % 3 === 0 ? 4.99 : 9.99, quantity]));
    expect(codes(fit)).not.toContain("price_levels_apart");
  });

  test("refuses several currencies, unless the request chooses one", () => {
    const rows = weeks().map(({ week, price, quantity }, r) => [
      week,
      r % 4 === 0 ? "USD" : "EUR",
      price,
      quantity,
    ]);
    const fit = fitOf(rows, "week,currency,price,quantity");
    expect(fit.report.findings).toMatchObject([{ code: "mixed_currency", column: "currency", rows: 26 }]);
    expect(fit.report.identified).toBe(false);
    const one = fitOf(
      rows.filter(([, currency]) => currency === "EUR"),
      "week,currency,price,quantity",
    );
    expect(codes(one)).toEqual([]);
  });

  test("uses repeated rows once, and keeps those that chance repeats", () => {
    const rows = weeks().map(({ price, quantity }) => [price.toFixed(2), quantity.toFixed(1)]);
    const fit = fitOf([...rows, ...rows, ...rows], "price,quantity");
    expect(fit.report.findings).toMatchObject([{ code: "duplicate_rows", rows: 208 }]);
    expect(fit.report.n).toBe(104);
    // Whole units at three prices repeat by chance.
    const coarse = weeks().map(({ quantity }, r) => [[8, 10, 12][r % 3] ?? 0, Math.round(quantity / 20)]);
    expect(codes(fitOf(coarse, "price,quantity"))).not.toContain("duplicate_rows");
  });

  describe("rows that sold out", () => {
    // Cheap weeks sell all of 45 units.
    const limit = 45;
    const wanted = weeks().map(({ week, price, quantity }) => ({ week, price, units: Math.round(quantity) }));
    const sold = wanted.map(({ week, price, units }) => [week, price, Math.min(limit, units)]);
    const isOut = ({ units }: (typeof wanted)[number]) => units >= limit;
    const withColumn = (name: string, cell: (one: (typeof wanted)[number]) => string | number) =>
      fitOf(
        sold.map((row, r) => [...row, cell(wanted[r] ?? { week: 0, price: 1, units: 0 })]),
        `week,price,quantity,${name}`,
      );
    const naive = fitDemand(
      { ...SPEC, estimator: "ols" },
      parseCsv(["week,price,quantity", ...sold.map(String)].join("\n"), "sales"),
      sold.map((_, row) => row),
    ).report;

    test.each([
      ["stock", () => limit],
      ["availability", (one: (typeof wanted)[number]) => (isOut(one) ? 0.5 : 1)],
      ["in_stock", (one: (typeof wanted)[number]) => (isOut(one) ? "no" : "yes")],
      ["SoldOut", (one: (typeof wanted)[number]) => (isOut(one) ? 1 : 0)],
    ])("have the demand of at least what was sold: column %s", (name, cell) => {
      const { report, warnings } = withColumn(name, cell);
      expect(report.findings).toMatchObject([{ code: "sold_out", column: name, action: "note" }]);
      expect(warnings).toEqual([]);
      expect(report.estimator).toBe("tobit");
      // Elasticity −2: what was sold alone says far less.
      expect(naive.elasticity).toBeGreaterThan(-1.5);
      expect(report.elasticity).toBeLessThan(-1.85);
      expect(report.elasticity).toBeGreaterThan(-2.15);
    });

    test("are found by their figure without a column", () => {
      const fit = fitOf(sold);
      expect(codes(fit)).toEqual(["capped_sales"]);
      expect(fit.report.elasticity).toBeLessThan(-1.85);
    });

    test("leave a warning where the estimate cannot allow for them", () => {
      const shut = sold.map((row, r) => [...row.slice(0, 2), r % 20 === 0 ? 0 : (row[2] ?? 0), limit]);
      const fit = fitOf(shut, "week,price,quantity,stock");
      expect(codes(fit)).toContain("zeros_excluded");
      expect(fit.report.estimator).toBe("tobit");
      const few = fitOf(
        sold.map(([week = 0, price = 0, units = 0]) => [week, price, Math.round(Number(units) / 15), 3]),
        "week,price,quantity,stock",
      );
      expect(few.report.findings).toMatchObject([{ code: "sold_out_not_modelled", action: "warn" }]);
    });

    test("of weeks without stock, nothing is learnt", () => {
      const rows = sold.map((row, r) => [...row.slice(0, 2), r % 10 === 0 ? 0 : (row[2] ?? 0)]);
      const fit = fitOf(
        rows.map((row, r) => [...row, r % 10 === 0 ? "no" : "yes"]),
        "week,price,quantity,available",
      );
      expect(fit.report.n).toBe(93);
      expect(fit.report.estimator).toBe("ols");
    });
  });

  describe("buyers who stock up", () => {
    /** Lasting elasticity −2; what a promotion adds is missing in the next two weeks. */
    const stocked = (promotion: number) => {
      const rng = makeRng(21, "stock");
      const normal = () => normalQuantile(rng());
      let [owed, next] = [0, 0];
      return Array.from({ length: 156 }, (_, week) => {
        const promoted = rng() < 0.2;
        const price = 10 * (promoted ? promotion : 1) * Math.exp(0.06 * normal());
        const extra = promoted ? 60 : 0;
        const quantity = 100 * (price / 10) ** -2 * Math.exp(0.08 * normal()) + extra - owed;
        [owed, next] = [next + 0.5 * extra, 0.5 * extra];
        return [week + 1, price, quantity, promoted ? "yes" : "no"] as const;
      });
    };

    test("in promotions: the elasticity is that of the weeks outside of them and after them", () => {
      const fit = fitOf(stocked(0.75).map((row) => row.slice(0, 3)));
      expect(fit.report.findings).toMatchObject([{ code: "promotions_excluded", action: "exclude" }]);
      expect(fit.report.identified).toBe(true);
      expect(fit.report.elasticity).toBeGreaterThan(-2.4);
      expect(fit.report.elasticity).toBeLessThan(-1.6);
      expect(fit.report.observed_range.low).toBeGreaterThan(8);
    });

    test("in promotions that the price does not always show, but a column says", () => {
      const rows = stocked(0.9);
      const unnamed = fitOf(rows.map((row) => row.slice(0, 3)));
      const named = fitOf(rows, "week,price,quantity,promo");
      expect(named.report.n).toBeGreaterThan(50);
      expect(codes(named)).toEqual(["promotions_excluded"]);
      expect(named.report.elasticity).toBeGreaterThan(-2.4);
      expect(named.report.elasticity).toBeLessThan(-1.6);
      expect(unnamed.report.n).toBeGreaterThan(named.report.n);
    });

    test("and prices that also follow demand: the price stays, since weeks outside of promotions follow it too", () => {
      const rng = makeRng(3, "both");
      const normal = () => normalQuantile(rng());
      let shock = 0;
      for (let k = 0; k < 5; k++) {
        const rows = Array.from({ length: 156 }, (_, week) => {
          shock = 0.8 * shock + 0.6 * normal();
          const price = 10 * Math.exp(0.12 * shock + 0.12 * normal());
          return [week + 1, price, 100 * (price / 10) ** -2.5 * Math.exp(0.3 * shock)];
        });
        const fit = fitOf(rows);
        expect(fit.report.identified).toBe(false);
        expect(codes(fit)).not.toContain("promotions_excluded");
      }
    });

    test("at any low price: the price stays", () => {
      const rng = makeRng(8, "any");
      let before = 10;
      const rows = Array.from({ length: 156 }, (_, week) => {
        const price = 10 * Math.exp(0.05 * normalQuantile(rng()));
        const quantity =
          100 * (price / 10) ** -5 * (before / 10) ** 3 * Math.exp(0.05 * normalQuantile(rng()));
        before = price;
        return [week + 1, price, quantity];
      });
      const fit = fitOf(rows);
      expect(codes(fit)).toContain("stockpiling");
      expect(fit.report.identified).toBe(false);
    });
  });

  test("takes drifting money out of the elasticity", () => {
    const inflated = weeks().map((row) => ({ ...row, price: row.price * 1.005 ** row.week }));
    const fit = fitOf(cells(inflated));
    expect(codes(fit)).toContain("price_trend");
    expect(fit.report.interval?.low).toBeLessThan(-2);
    expect(fit.report.interval?.high).toBeGreaterThan(-2);
  });

  test("refuses prices that follow the sales of the week before, unless what moves both is controlled for", () => {
    const rng = makeRng(3, "causes");
    const normal = () => normalQuantile(rng());
    let shock = 0;
    const rows = Array.from({ length: 156 }, (_, week) => {
      shock = 0.8 * shock + 0.6 * normal();
      const price = 10 * Math.exp(0.12 * shock + 0.12 * normal());
      return [week + 1, price, 4000 * price ** -2 * Math.exp(0.3 * shock + 0.05 * normal()), shock];
    });
    const fit = fitOf(rows.map((row) => row.slice(0, 3)));
    expect(fit.report.findings).toMatchObject([{ code: "prices_follow_demand", action: "refuse" }]);
    expect(fit.report.identified).toBe(false);
    const dataset = parseCsv(["week,price,quantity,weather", ...rows.map(String)].join("\n"), "sales");
    const controlled = fitDemand(
      { ...SPEC, controls: ["weather"] },
      dataset,
      rows.map((_, row) => row),
    );
    expect(controlled.report.findings).toBeUndefined();
    expect(controlled.report.elasticity).toBeCloseTo(-2, 1);
  });

  test("believes who says that prices followed rivals", () => {
    const dataset = parseCsv(["week,price,quantity", ...cells(weeks()).map(String)].join("\n"), "sales");
    const all = [...Array(dataset.rows).keys()];
    const said = fitDemand({ ...SPEC, prices_follow: ["rivals"] }, dataset, all).report;
    expect(said).toMatchObject({ identified: false, findings: [{ code: "prices_follow_said" }] });
    const neither = fitDemand({ ...SPEC, prices_follow: [] }, dataset, all).report;
    expect(neither).toMatchObject({ identified: true, prices_follow: [] });
  });

  test("says that a time column is in no known form", () => {
    const rows = weeks().map(({ week, price, quantity }) => [`around week ${week}`, price, quantity]);
    const fit = fitOf(rows);
    expect(fit.report.findings).toMatchObject([{ code: "time_not_read", column: "week", action: "warn" }]);
  });
});

describe("the observed range", () => {
  test("ends where several prices are, whatever a single one is", () => {
    const prices = Float64Array.from({ length: 100 }, (_, k) => 100 + k / 10);
    expect(supportOf(prices)).toEqual({ low: 100, high: prices[99] });
    expect(supportOf(Float64Array.of(...prices, 1224))).toEqual({ low: 100, high: prices[99] });
    expect(supportOf(Float64Array.of(5, 6))).toEqual({ low: 5, high: 6 });
  });
});
