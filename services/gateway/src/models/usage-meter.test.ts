import { beforeAll, expect, test } from "@jest/globals";
import { addUsage, keysOf, NO_USAGE, type UsageAmounts, UsageStore } from "../store/index.ts";
import { dayOf } from "./budgets.ts";
import { callOf, errorOf, fresh, modelTests } from "./test/support.ts";
import { UsageMeter } from "./usage-meter.ts";
import { UsageReports } from "./usage-reports.ts";

const shared = modelTests();
beforeAll(() => shared.start(), 60_000);

const ANN = { tenant: "meter", issuer: "local", subject: "ann" };
const PRICES = { input: 0, cachedInput: 0, output: 1_000, reasoning: 1_000 };

/** A gateway whose attempts are charged, and what runs were charged with. */
function metered(does: string) {
  const store = new UsageStore(shared.redis);
  const runs = new Map<string, UsageAmounts>();
  const meter = new UsageMeter({
    store,
    chargeRun: (runId, used) => {
      runs.set(runId, addUsage(runs.get(runId) ?? NO_USAGE, used));
      return "session-of-run";
    },
    onTrouble: (_, error) => {
      throw error;
    },
  });
  const { gateway } = shared.open(
    {
      priced: { does: fresh(does), prices: PRICES, settings: { fallbacks: ["free"] } },
      free: { does: "ok" },
    },
    { observer: { onAttempt: (call, attempt) => meter.ofAttempt(call, attempt) } },
  );
  return { gateway, meter, runs, store, reports: new UsageReports(store) };
}

test("an attempt of the gateway is charged to run, session, subject, tenant and model, failed or not", async () => {
  const { gateway, meter, runs, reports } = metered("ok~503");
  const call = callOf({ caller: ANN, sessionId: "s-7", runId: "r-7" });
  for (let n = 0; n < 2; n++) await gateway.generate(call);
  await meter.idle();
  expect(runs.get("r-7")).toMatchObject({ calls: 3, failed: 1, outputTokens: 20, nanoUsd: 10_000_000 });
  const report = (groupBy: "model" | "run" | "session" | "subject" | "tenant", scope: "own" | "tenant") =>
    reports.report(ANN, { groupBy, scope, limit: 10 });
  const whole = { calls: 3, failed: 1, output_tokens: 20, cost_usd: 0.01 };
  for (const scope of ["own", "tenant"] as const) {
    expect((await report("run", scope)).groups).toMatchObject([{ key: "r-7", ...whole }]);
    expect((await report("session", scope)).groups).toMatchObject([{ key: "s-7", ...whole }]);
    expect((await report("subject", scope)).groups).toMatchObject([{ key: "local:ann", ...whole }]);
    expect((await report("tenant", scope)).groups).toMatchObject([{ key: "meter", ...whole }]);
    expect((await report("model", scope)).groups).toMatchObject([
      { key: "priced", calls: 2, failed: 1, output_tokens: 10, cost_usd: 0.01 },
      { key: "free", calls: 1, failed: 0, output_tokens: 10, cost_usd: 0 },
    ]);
  }
  const key = keysOf("meter").usage(dayOf(Date.now()), "run");
  expect(await shared.redis.ttl(key)).toBeGreaterThan(8 * 86_400);
});

test("what was not sent is not charged", async () => {
  const { gateway, meter, runs } = metered("ok");
  const call = callOf({ caller: ANN, runId: "r-8", signal: AbortSignal.abort() });
  expect(await errorOf(gateway.generate(call))).toMatchObject({ code: "cancelled" });
  await meter.idle();
  expect(runs.size).toBe(0);
});

test("what an agent reports is charged to the session of its run, without a price", async () => {
  const { meter, reports } = metered("ok");
  const caller = { ...ANN, tenant: "meter-agents", roles: [] };
  meter.ofAgent(
    { caller, agent: "optimizer", runId: "r-9" },
    { input_tokens: 5, total_tokens: 12, reasoning_tokens: 3, cached_input_tokens: 99 },
  );
  meter.ofAgent({ caller, agent: "idle" }, { total_tokens: 0 });
  await meter.idle();
  const query = { groupBy: "session", scope: "own", limit: 10 } as const;
  expect((await reports.report(caller, query)).groups).toMatchObject([
    { key: "session-of-run", calls: 1, input_tokens: 5, output_tokens: 7, reasoning_tokens: 3, cost_usd: 0 },
  ]);
  expect((await reports.report(caller, { ...query, groupBy: "model" })).groups).toMatchObject([
    { key: "agent/optimizer", cached_input_tokens: 5 },
  ]);
});

test("many groups are read in pages, and the report says that it shows a part", async () => {
  const { store, reports } = metered("ok");
  const caller = { ...ANN, tenant: "meter-many" };
  const of = { keys: keysOf("meter-many"), owner: "local:ann", model: "m" };
  const used = { ...NO_USAGE, calls: 1, inputTokens: 1 };
  const day = dayOf(Date.now());
  // Not all at once: a command of a request waits for its answer for a short time only.
  for (let from = 0; from < 1_200; from += 40)
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        store.record({ ...of, runId: `r-${from + n}` }, day, { ...used, inputTokens: from + n + 1 }),
      ),
    );
  const report = await reports.report(caller, { groupBy: "run", scope: "own", limit: 3 });
  expect(report.groups.map(({ key }) => key)).toEqual(["r-1199", "r-1198", "r-1197"]);
  expect(report.truncated).toBe(true);
  const whole = await reports.report(caller, { groupBy: "run", scope: "tenant", limit: 5_000 });
  expect(whole).toMatchObject({ truncated: false });
  expect(whole.groups).toHaveLength(1_200);
});
