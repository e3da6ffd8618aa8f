import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { type ModelServer, startModelServer } from "../../../scripts/model-server/server.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { as, get, post, startRun, toRest } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { answering, failing, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const TENANT = `t-${randomUUID()}`;
const ANN = as("ann", "", TENANT);
const BOB = as("bob", "", TENANT);
const ROOT = as("root", "admin", TENANT);

let gateway: TestGateway;
let models: ModelServer;

beforeAll(async () => {
  const redis = keep(await testRedis());
  models = keep(await startModelServer());
  const used = (input_tokens: number, output_tokens: number) => ({ usage: { input_tokens, output_tokens } });
  const agent = keep(
    await standIn({
      PRICE_OPTIMIZATION: answering(GOOD_OUTPUTS.PRICE_OPTIMIZATION, used(100, 20)),
      POLICY_CHECK: answering(GOOD_OUTPUTS.POLICY_CHECK, used(10, 2)),
      PRICE_EXPLANATION: failing("INFEASIBLE", "no"),
    }),
  );
  const mesh = pricingMesh(agent.url);
  const manifest = {
    ...mesh,
    models: {
      ...mesh.models,
      providers: {
        here: { kind: "openai_compatible", base_url: models.url },
        keyed: { kind: "openai", base_url: models.url, key_env: "MISSING_KEY" },
      },
      models: {
        small: { provider: "here", model: "ok" },
        large: { provider: "keyed", model: "ok", fallbacks: ["small"] },
      },
    },
  };
  gateway = keep(await testGateway({ manifest, redisUrl: redis.url }));
});

type Group = { key: string; calls: number; input_tokens: number; output_tokens: number };

async function usage(
  caller: Record<string, string>,
  query = "",
): Promise<{ scope: string; groups: Group[] }> {
  const answer = await get(gateway, `/api/v1/usage${query}`, caller);
  expect(answer.status).toBe(200);
  const { scope, groups } = JSON.parse(answer.text);
  return { scope, groups };
}

test("what agents report is in the run's end, and in the usage of run, session, subject, tenant and agent", async () => {
  const session = randomUUID();
  const plan = { flow: "pricing", goals: ["policy"], inputs: {}, session_id: session };
  const run = await startRun(gateway, plan, ANN);
  const end = (await toRest(gateway, run, ANN)).at(-1);
  expect(end).toMatchObject({
    type: "run_finished",
    data: { usage: { input_tokens: 110, output_tokens: 22, calls: 2, estimated: false } },
  });
  expect(end?.data.usage).not.toHaveProperty("cost_usd");
  const other = await post(gateway, "/api/v1/chat", { message: "check", session_id: randomUUID() }, BOB);
  expect(other.status).toBe(200);

  const whole = { calls: 2, input_tokens: 110, output_tokens: 22 };
  await until(async () => (await usage(ROOT, "?group_by=subject")).groups.length === 2);
  expect(await usage(ANN, "?group_by=run")).toMatchObject({ scope: "own", groups: [{ key: run, ...whole }] });
  expect(await usage(ANN, "?group_by=session")).toMatchObject({ groups: [{ key: session, ...whole }] });
  expect(await usage(ANN, "?group_by=subject")).toMatchObject({ groups: [{ key: "test:ann", ...whole }] });
  expect(await usage(ANN, "?group_by=tenant")).toMatchObject({
    scope: "own",
    groups: [{ key: TENANT, ...whole }],
  });
  expect(await usage(ANN)).toMatchObject({
    groups: [
      { key: "agent/optimizer", calls: 1, input_tokens: 100, output_tokens: 20 },
      { key: "agent/policy", calls: 1, input_tokens: 10, output_tokens: 2 },
    ],
  });
  const all = { calls: 3, input_tokens: 120, output_tokens: 24 };
  expect(await usage(ROOT, "?group_by=tenant")).toMatchObject({
    scope: "tenant",
    groups: [{ key: TENANT, ...all }],
  });
  expect((await usage(ROOT, "?group_by=subject")).groups.map(({ key }) => key)).toEqual([
    "test:ann",
    "test:bob",
  ]);
  expect((await usage(ROOT, "?group_by=model&limit=1")).groups).toHaveLength(1);
  expect((await usage(as("ann", "", `t-${randomUUID()}`))).groups).toEqual([]);
  expect((await usage(ROOT, "?from=2020-01-01&to=2020-01-05")).groups).toEqual([]);
});

test("a run that fails says what it has used", async () => {
  const plan = { flow: "pricing", goals: ["explainer"], inputs: {} };
  const end = (await toRest(gateway, await startRun(gateway, plan, ANN), ANN)).at(-1);
  expect(end).toMatchObject({ type: "run_failed", data: { usage: { input_tokens: 110, calls: 2 } } });
});

test.each([
  "?from=2026-11-22&to=2026-11-21",
  "?from=2026-01-01&to=2026-11-01",
  "?group_by=run&from=2026-11-01&to=2026-11-20",
  "?from=yesterday",
  "?from=2026-13-01",
  "?group_by=weather",
])("a report of %s is refused", async (query) => {
  const answer = await get(gateway, `/api/v1/usage${query}`, ANN);
  expect(answer.status).toBe(400);
  expect(answer.json()).toMatchObject({ code: "invalid_request" });
});

test("the models are listed with their health; those that the gateway does not ask have none", async () => {
  const { json } = await get(gateway, "/api/v1/chat/models", ANN);
  expect(json()).toEqual({
    default: "rules",
    models: [
      { id: "rules", default: true },
      { id: "large", default: false, healthy: false, reason: "no_key" },
      { id: "small", default: false, healthy: true },
    ],
  });
});

test("no model is asked where the turn does not need one", () => {
  expect(models.requests).toEqual([]);
});
