import { beforeAll, describe, expect, test } from "@jest/globals";
import { dayOf } from "../store/index.ts";
import { modelBudgetKey } from "../store/keys.ts";
import { callOf, drained, errorOf, fresh, modelTests, outcomes, type TestModel } from "./test/support.ts";

const shared = modelTests();
beforeAll(() => shared.start());

/** Every answer has 10 tokens of output at a thousandth of a dollar each, and costs nothing else. */
const PRICES = { input: 0, cachedInput: 0, output: 1_000, reasoning: 1_000 };
const COST = 0.01;

const model = (budget: TestModel["budget"], more: Partial<TestModel> = {}): TestModel => ({
  does: fresh("ok"),
  prices: PRICES,
  ...(budget ? { budget } : {}),
  // As much as it really says, so that what is reserved is what is spent.
  settings: { maxTokens: 10 },
  ...more,
});

let names = 0;
const name = (): string => `budget-${names++}`;
const isSpent = ({ outcome }: { outcome: string }): boolean => outcome === "budget_spent";
const spentUsd = (attempts: readonly { used: { nanoUsd: number } }[]): number =>
  attempts.reduce((sum, { used }) => sum + used.nanoUsd, 0) / 1e9;

test("two replicas share it under 32 parallel calls, and overspend it by at most one", async () => {
  const id = name();
  const usdPerDay = 0.055;
  const models = { [id]: model({ usdPerDay, scope: "mesh" }) };
  const replicas = [shared.open(models), shared.open(models)];
  const tenants = ["acme", "globex"];
  const ask = (n: number) =>
    replicas[n % 2]?.gateway.generate(
      callOf({
        caller: { tenant: tenants[n % 3 === 0 ? 1 : 0] ?? "acme", issuer: "local", subject: `s${n}` },
      }),
    );
  // A store that is slow for a moment refuses calls that have a budget: they are asked again.
  const refused = () => replicas.flatMap(({ attempts }) => attempts).some(isSpent);
  do await Promise.allSettled(Array.from({ length: 32 }, (_, n) => ask(n)));
  while (!refused());
  const attempts = replicas.flatMap((replica) => replica.attempts);
  expect(attempts.filter(({ outcome }) => outcome === "ok").length).toBeGreaterThan(0);
  expect(spentUsd(attempts)).toBeLessThanOrEqual(usdPerDay + COST + 1e-9);
  while ((await shared.redis.hget(modelBudgetKey(id, dayOf(Date.now())), "nano")) !== "60000000")
    await Promise.allSettled([ask(0), ask(1)]);
  expect(spentUsd(replicas.flatMap((replica) => replica.attempts))).toBeCloseTo(0.06, 9);
  for (const replica of replicas) {
    expect(await errorOf(replica.gateway.generate(callOf()))).toMatchObject({ code: "AGT_002" });
    expect(await replica.gateway.list([id], { tenant: "other" })).toMatchObject([
      { healthy: false, reason: "budget_spent" },
    ]);
  }
});

test("what was reserved and not used is given back", async () => {
  const id = name();
  const { gateway, attempts } = shared.open({
    [id]: model({ usdPerDay: 0.055, scope: "mesh" }, { settings: { maxTokens: 4_000 } }),
  });
  for (let n = 0; n < 6; n++) await gateway.generate(callOf());
  expect(await errorOf(gateway.generate(callOf()))).toMatchObject({ code: "AGT_002" });
  expect(spentUsd(attempts)).toBeCloseTo(0.06, 9);
});

test("parallel calls whose answers may be longer than they are never overspend it by more than one", async () => {
  const id = name();
  const models = { [id]: model({ usdPerDay: 0.055, scope: "mesh" }, { settings: { maxTokens: 37 } }) };
  const replicas = [shared.open(models), shared.open(models)];
  for (let round = 0; round < 8; round++)
    await Promise.allSettled(
      Array.from({ length: 32 }, (_, n) => drained(replicas[n % 2]?.gateway.stream(callOf()) ?? nothing())),
    );
  const spent = spentUsd(replicas.flatMap((replica) => replica.attempts));
  expect(spent).toBeGreaterThanOrEqual(0.055);
  expect(spent).toBeLessThanOrEqual(0.055 + COST + 1e-9);
});

async function* nothing() {}

test("of tokens counts input and output", async () => {
  const id = name();
  const { gateway } = shared.open({ [id]: model({ tokensPerDay: 60, scope: "mesh" }) });
  // An answer takes about 20 tokens of input and 10 of output.
  const results: string[] = [];
  for (let n = 0; n < 5; n++)
    results.push(
      await gateway.generate(callOf()).then(
        () => "ok",
        () => "refused",
      ),
    );
  expect(results.filter((result) => result === "ok").length).toBeGreaterThanOrEqual(2);
  expect(results.at(-1)).toBe("refused");
});

test("of a tenant leaves those of others alone", async () => {
  const id = name();
  const { gateway } = shared.open({ [id]: model({ usdPerDay: 0.01, scope: "tenant" }) });
  const of = (tenant: string) => callOf({ caller: { tenant, issuer: "local", subject: "ann" } });
  await gateway.generate(of("acme"));
  expect(await errorOf(gateway.generate(of("acme")))).toMatchObject({ code: "AGT_002" });
  await gateway.generate(of("globex"));
});

test("that is spent has the fallback answer, without a request", async () => {
  const id = name();
  const { gateway, attempts } = shared.open({
    [id]: model({ usdPerDay: 0.01, scope: "mesh" }, { settings: { maxTokens: 10, fallbacks: ["free"] } }),
    free: { does: "ok" },
  });
  await gateway.generate(callOf());
  expect((await gateway.generate(callOf())).model).toBe("free");
  expect(outcomes(attempts)).toEqual([`${id}: ok`, `${id}: budget_spent`, "free: ok"]);
});

describe("a call that fails", () => {
  test("before anybody worked costs nothing", async () => {
    const id = name();
    const { gateway } = shared.open({
      [id]: model({ usdPerDay: 0.01, scope: "mesh" }, { does: fresh("503~503~503~ok") }),
    });
    for (let n = 0; n < 3; n++) await errorOf(gateway.generate(callOf()));
    expect((await gateway.generate(callOf())).model).toBe(id);
  });

  test("in the middle costs what it said", async () => {
    const id = name();
    const { gateway } = shared.open({
      [id]: model({ usdPerDay: 0.001, scope: "mesh" }, { does: fresh("slow-30+cut-after-3") }),
    });
    await drained(gateway.stream(callOf()));
    expect(await gateway.list([id], { tenant: "acme" })).toMatchObject([{ reason: "budget_spent" }]);
  });
});

test("a counter is kept for a while after its day, and holds no reservation that was settled", async () => {
  const id = name();
  const { gateway } = shared.open({ [id]: model({ usdPerDay: 1, scope: "mesh" }) });
  await gateway.generate(callOf());
  const key = modelBudgetKey(id, dayOf(Date.now()));
  expect(await shared.redis.ttl(key)).toBeGreaterThan(86_400);
  expect(Object.keys(await shared.redis.hgetall(key)).sort()).toEqual(["nano", "tokens"]);
});

test("a command that is sent again changes nothing", async () => {
  const { Script } = await import("../store/script.ts");
  const [reserve, settle] = [new Script("reserve-budget"), new Script("settle-budget")];
  const key = modelBudgetKey(name(), "2026-11-22");
  const admitted = [];
  for (let n = 0; n < 2; n++) admitted.push(await reserve.run(shared.redis, [key], ["r", 10, 5, 8, "", 60]));
  expect(admitted).toEqual([1, 1]);
  expect(await reserve.run(shared.redis, [key], ["other", 10, 5, 8, "", 60])).toBe(0);
  for (let n = 0; n < 2; n++) await settle.run(shared.redis, [key], ["r", 7, 3]);
  expect(await shared.redis.hgetall(key)).toEqual({ nano: "7", tokens: "3" });
});
