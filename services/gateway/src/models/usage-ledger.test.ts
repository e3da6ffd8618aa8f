import type { Usage, UsageReport } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { addUsage, dayOf, keysOf, NO_USAGE, type UsageAmounts, UsageStore } from "../store/index.ts";
import { callOf, errorOf, fresh, modelTests } from "./test/support.ts";
import { usageReport } from "./usage-report.ts";

const shared = modelTests();
beforeAll(() => shared.start());

const ANN = { tenant: "meter", issuer: "local", subject: "ann" };
const PRICES = { input: 0, cachedInput: 0, output: 1_000, reasoning: 1_000 };

/** A gateway whose attempts are charged, and what runs were charged with. */
function metered(does: string) {
  const store = new UsageStore(shared.redis);
  const runs = new Map<string, UsageAmounts>();
  const ledger = shared.openLedger({
    chargeRun: (runId, used) => {
      runs.set(runId, addUsage(runs.get(runId) ?? NO_USAGE, used));
      return "session-of-run";
    },
  });
  const { gateway } = shared.open(
    {
      priced: { does: fresh(does), prices: PRICES, settings: { fallbacks: ["free"] } },
      free: { does: "ok" },
    },
    { ledger },
  );
  const report = (caller: typeof ANN, query: Parameters<typeof usageReport>[2]) =>
    usageReport(store, caller, query);
  return { gateway, ledger, runs, store, report };
}

test("an attempt of the gateway is charged to run, session, subject, tenant and model, failed or not", async () => {
  const { gateway, ledger, runs, report } = metered("ok~503");
  const call = callOf({ caller: ANN, sessionId: "s-7", runId: "r-7" });
  for (let n = 0; n < 2; n++) await gateway.generate(call);
  await ledger.idle();
  expect(runs.get("r-7")).toMatchObject({ calls: 3, failed: 1, outputTokens: 20, nanoUsd: 10_000_000 });
  const groupsBy = async (groupBy: UsageReport["group_by"], scope: "own" | "tenant") =>
    (await report(ANN, { groupBy, scope, limit: 10 })).groups;
  const whole = { calls: 3, failed: 1, output_tokens: 20, cost_usd: 0.01 };
  for (const scope of ["own", "tenant"] as const) {
    expect(await groupsBy("run", scope)).toMatchObject([{ key: "r-7", ...whole }]);
    expect(await groupsBy("session", scope)).toMatchObject([{ key: "s-7", ...whole }]);
    expect(await groupsBy("subject", scope)).toMatchObject([{ key: "local:ann", ...whole }]);
    expect(await groupsBy("tenant", scope)).toMatchObject([{ key: "meter", ...whole }]);
    expect(await groupsBy("model", scope)).toMatchObject([
      { key: "priced", calls: 2, failed: 1, output_tokens: 10, cost_usd: 0.01 },
      { key: "free", calls: 1, failed: 0, output_tokens: 10, cost_usd: 0 },
    ]);
  }
  const key = keysOf("meter").usage(dayOf(Date.now()), "run");
  expect(await shared.redis.ttl(key)).toBeGreaterThan(8 * 86_400);
});

test("what was not sent is not charged", async () => {
  const { gateway, ledger, runs } = metered("ok");
  const call = callOf({ caller: ANN, runId: "r-8", signal: AbortSignal.abort() });
  expect(await errorOf(gateway.generate(call))).toMatchObject({ code: "cancelled" });
  await ledger.idle();
  expect(runs.size).toBe(0);
});

test("what an agent reports is charged to the session of its run, without a price", async () => {
  const { ledger, report } = metered("ok");
  const caller = { ...ANN, tenant: "meter-agents", roles: [] };
  ledger.recordReport(
    { caller, agent: "optimizer", runId: "r-9" },
    { input_tokens: 5, total_tokens: 12, reasoning_tokens: 3, cached_input_tokens: 99 },
  );
  ledger.recordReport({ caller, agent: "idle" }, { total_tokens: 0 });
  await ledger.idle();
  const query = { groupBy: "session", scope: "own", limit: 10 } as const;
  expect((await report(caller, query)).groups).toMatchObject([
    { key: "session-of-run", calls: 1, input_tokens: 5, output_tokens: 7, reasoning_tokens: 3, cost_usd: 0 },
  ]);
  expect((await report(caller, { ...query, groupBy: "model" })).groups).toMatchObject([
    { key: "agent/optimizer", cached_input_tokens: 5 },
  ]);
});

test("many groups are read in pages, and the report says that it shows a part", async () => {
  const { store, report } = metered("ok");
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
  const part = await report(caller, { groupBy: "run", scope: "own", limit: 3 });
  expect(part.groups.map(({ key }) => key)).toEqual(["r-1199", "r-1198", "r-1197"]);
  expect(part.truncated).toBe(true);
  const whole = await report(caller, { groupBy: "run", scope: "tenant", limit: 5_000 });
  expect(whole).toMatchObject({ truncated: false });
  expect(whole.groups).toHaveLength(1_200);
});

describe("the tokens of a tenant's day", () => {
  const EVENING = Date.parse("2026-11-22T23:59:30.500Z");
  const MORNING = Date.parse("2026-11-23T00:00:00.000Z");

  /** One replica, at a time and with a budget that a test may change. */
  function replica(perDay: number | undefined) {
    const state = { now: EVENING, perDay };
    const ledger = shared.openLedger({ tokensPerDay: () => state.perDay, now: () => state.now });
    return {
      state,
      charge: (tenant: string, usage: Usage) =>
        ledger.recordReport({ caller: { ...ANN, tenant, roles: [] }, agent: "optimizer" }, usage),
      admit: (tenant: string) => ledger.admit(tenant),
      refusal: async (tenant: string): Promise<unknown> => {
        try {
          await ledger.admit(tenant);
          return undefined;
        } catch (error) {
          return error;
        }
      },
    };
  }

  test("end at midnight UTC, on every replica", async () => {
    const [one, other] = [replica(100), replica(100)];
    one.charge("acme", { input_tokens: 60, output_tokens: 39 });
    expect(await other.refusal("acme")).toBeUndefined();
    other.charge("acme", { total_tokens: 1, input_tokens: 1_000 });
    for (const { refusal } of [one, other, other])
      expect(await refusal("acme")).toMatchObject({
        code: "quota_exceeded",
        headers: { "retry-after": "30" },
      });
    expect(await shared.redis.get("il:{acme}:tokens:2026-11-22")).toBe("100");
    expect(await one.refusal("other")).toBeUndefined();
    for (const { state, refusal } of [one, other]) {
      state.now = MORNING;
      expect(await refusal("acme")).toBeUndefined();
    }
  });

  test("are more as soon as the manifest says so", async () => {
    const { state, charge, refusal } = replica(10);
    charge("raised", { total_tokens: 10 });
    for (let n = 0; n < 2; n++) expect(await refusal("raised")).toMatchObject({ code: "quota_exceeded" });
    state.perDay = 11;
    expect(await refusal("raised")).toBeUndefined();
  });

  test("are not charged without a budget", async () => {
    const none = replica(undefined);
    none.charge("unlimited", { total_tokens: 5 });
    expect(none.admit("unlimited")).toBeUndefined();
    expect(await shared.redis.exists("il:{unlimited}:tokens:2026-11-22")).toBe(0);
  });

  test("are kept for a while after it", async () => {
    replica(100).charge("kept", { total_tokens: 5 });
    expect(await shared.redis.ttl("il:{kept}:tokens:2026-11-22")).toBeGreaterThan(86_400);
  });

  test("count the gateway's own attempts too", async () => {
    const ledger = shared.openLedger({ tokensPerDay: () => 1_000 });
    const { gateway } = shared.open({ only: { does: "ok" } }, { ledger });
    const { used } = await gateway.generate(callOf({ caller: { ...ANN, tenant: "own" } }));
    const key = keysOf("own").tokens(dayOf(Date.now()));
    expect(await shared.redis.get(key)).toBe(String(used.inputTokens + used.outputTokens));
  });
});
