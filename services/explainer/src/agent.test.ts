import { setImmediate as nextTurn } from "node:timers/promises";
import { readEvents, startAgent, type TestAgent } from "@interlock/agent-kit/testing";
import { type Explanation, type Move, standardRulePack } from "@interlock/pricing";
import { datasetsUnder, sampleInputs } from "@interlock/pricing/datasets";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { explainerAgent } from "./agent.ts";

let agent: TestAgent;
beforeAll(async () => {
  const datasets = datasetsUnder(undefined);
  agent = await startAgent(explainerAgent({ datasets, rulePack: standardRulePack, sample: sampleInputs }));
});
afterAll(() => agent.close());

function tier(current_price: number, unit_cost: number, elasticity: number) {
  return {
    current_price,
    unit_cost,
    demand: {
      model: "constant_elasticity",
      reference_price: current_price,
      reference_quantity: 100,
      elasticity,
    },
  };
}

const pump = { item_id: "pump", tiers: { new: tier(100, 50, -1.5), exchange: tier(90, 50, -3) } };

function sumOf({ attributions }: Move) {
  return attributions.reduce((sum, { value }) => sum + value, 0);
}

describe("PRICE_EXPLANATION over HTTP", () => {
  test("attributes each move exactly, with binding rules and narratives", async () => {
    const inputs = { items: [pump], max_change_pct: 0.1 };
    const { events, final } = await agent.stream({ task_type: "PRICE_EXPLANATION", mode: "LIVE", inputs });
    expect(events.map(({ event }) => event)).toEqual(["started", "progress", "progress", "final"]);
    expect(final.ok).toBe(true);
    const { items, summary, trace } = final.outputs as Explanation;
    expect(items).toHaveLength(1);
    for (const { tiers, profit } of items) {
      for (const move of [profit, ...Object.values(tiers).map(({ price }) => price)]) {
        expect(Math.abs(sumOf(move) - (move.to - move.from))).toBeLessThanOrEqual(1e-9 * Math.abs(move.to));
      }
      expect(tiers.new?.binding).toMatchObject([{ constraint: "max_change_up" }]);
      expect(tiers.new?.narrative).toMatch(/^new moves from 100\.00 today to 110\.00 \(\+10%\)\./);
    }
    expect(summary).toMatch(/^pump: profit per period moves from /);
    expect(trace.map(({ step }) => step)).toContain("attribute");
  });

  test("explains the shipped sample in DEMO mode", async () => {
    const { status, body } = await agent.sync({ task_type: "PRICE_EXPLANATION" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: true,
      provenance: { rule_pack: { name: "standard", version: "1.0.0" } },
    });
    const { items } = (body as unknown as { outputs: Explanation }).outputs;
    expect(items.length).toBeGreaterThan(1);
  });

  test("accepts a proposal in the optimizer's shape and attributes its difference from the optimum", async () => {
    const proposed = [
      { item_id: "pump", tiers: { new: { price: 105, expected: {} }, exchange: { price: 80 } } },
    ];
    const { body } = await agent.sync({
      task_type: "PRICE_EXPLANATION",
      inputs: { items: [pump], proposed },
    });
    const { items } = (body as unknown as { outputs: Explanation }).outputs;
    expect(items[0]?.tiers.new?.price).toMatchObject({ from: 100, to: 105 });
    expect(items[0]?.tiers.new?.price.attributions.at(-1)?.factor).toBe("proposal");
  });

  test("explains at most max_items and warns how many it left out", async () => {
    const items = Array.from({ length: 300 }, (_, i) => ({ ...pump, item_id: `pump-${i}` }));
    const { final } = await agent.stream({
      task_type: "PRICE_EXPLANATION",
      inputs: { items, max_items: 20 },
    });
    expect((final.outputs as Explanation).items).toHaveLength(20);
    expect(final.warnings).toEqual(["max_items was reached: 280 items are not explained."]);
  });

  test("fails with the optimizer's error codes and the item", async () => {
    const endless = { item_id: "endless", tiers: { new: tier(100, 50, -0.5) } };
    const unbounded = await agent.sync({ task_type: "PRICE_EXPLANATION", inputs: { items: [endless] } });
    expect(unbounded.body).toMatchObject({
      ok: false,
      error: { code: "UNBOUNDED", details: { item_id: "endless" } },
    });
    const unknown = await agent.sync({
      task_type: "PRICE_EXPLANATION",
      inputs: { items: [pump], proposed: [{ item_id: "other", tiers: { new: { price: 1 } } }] },
    });
    expect(unknown.body).toMatchObject({ ok: false, error: { code: "INVALID_ITEM" } });
  });

  test("stops when its caller disconnects", async () => {
    const items = Array.from({ length: 3000 }, (_, i) => ({ ...pump, item_id: `pump-${i}` }));
    const caller = new AbortController();
    const response = await fetch(`${agent.url}/agents/run/stream`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        request_id: "r",
        task_type: "PRICE_EXPLANATION",
        inputs: { items, max_items: 2000 },
      }),
      signal: caller.signal,
    });
    const explained = async () => {
      for await (const { event, data } of readEvents(response)) {
        if (event === "progress" && data.message === "explained") caller.abort();
      }
    };
    await expect(explained()).rejects.toThrow();
    expect(caller.signal.aborted).toBe(true);
    while ((await activeRuns()) > 0) await nextTurn();
    expect(await activeRuns()).toBe(0);
  });
});

async function activeRuns(): Promise<number> {
  const metrics = await (await fetch(`${agent.url}/metrics`)).text();
  return Number(/^interlock_agent_runs_active\S* (\d+)$/m.exec(metrics)?.[1]);
}

test("a locale that nobody knows is refused", async () => {
  const { body } = await agent.sync({
    task_type: "PRICE_EXPLANATION",
    inputs: { ...sampleInputs(), locale: "zz" },
  });
  expect(body).toMatchObject({ status: "error", error: { code: "UNKNOWN_LOCALE" } });
});

test("a move that was said is what is explained, of the items that are asked for", async () => {
  const { body } = await agent.sync({
    task_type: "PRICE_EXPLANATION",
    mode: "LIVE",
    inputs: {
      ...sampleInputs(),
      constraints: [
        { slot: "items", op: "only", value: ["MOTOR-M2"] },
        { slot: "price_move", op: "set", value: 0.03, direction: "up" },
      ],
    },
  });
  const { items, applied } = body.outputs as {
    items: { item_id: string; tiers: Record<string, { price: { from: number; to: number } }> }[];
    applied: object[];
  };
  expect(items.map(({ item_id }) => item_id)).toEqual(["MOTOR-M2"]);
  for (const { price } of Object.values(items[0]?.tiers ?? {}))
    expect(price.to).toBeCloseTo(price.from * 1.03, 2);
  expect(applied).toMatchObject([
    { slot: "items", items: 1 },
    { slot: "price_move", items: 1 },
  ]);
});
