import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { saying } from "../../../scripts/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../../../scripts/model-server/server.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { as, post, startRun, toRest } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { shippedMesh } from "./support/shipped-mesh.ts";
import { answering, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const ANN = as("ann", "analyst", `t-${randomUUID()}`);
/** Neither the model of intents nor the keywords tell what this asks for. */
const UNCLEAR = "is it fine?";

let gateway: TestGateway;
/** One that waits no longer for an opinion than the gateway does by itself. */
let hasty: TestGateway;
let models: ModelServer;

beforeAll(async () => {
  const redis = keep(await testRedis());
  models = keep(await startModelServer());
  const passed = {
    passed: true,
    violations: [],
    suggestions: [],
    current: { violations: [], suggestions: [] },
  };
  const effect = { demand: 1, revenue: 1, profit: 1 };
  const proposal = { items: [], totals: { current: effect, expected: effect, change: effect } };
  const agent = keep(
    await standIn({
      POLICY_CHECK: answering(passed),
      PRICE_OPTIMIZATION: answering(proposal),
      PRICING_REPORT: answering({ summary: "review", proposed: [], shown: {} }),
    }),
  );
  const manifest = (intent: object) => ({
    ...shippedMesh(agent.url),
    models: {
      default: "rules",
      allow: ["rules", "small"],
      tasks: { intent },
      providers: { here: { kind: "openai_compatible", base_url: models.url } },
      models: { small: { provider: "here", model: "small", retries: 0 } },
    },
  });
  const start = (intent: object) => testGateway({ manifest: manifest(intent), redisUrl: redis.url });
  gateway = keep(await start({ model: "small", timeout_ms: 20_000 }));
  hasty = keep(await start({ model: "small" }));
});

type Opinion = { goals: string[]; constraints?: { name: string; says: string }[] };

const thinks = ({ goals, constraints = [] }: Opinion, how = "") =>
  models.script("small", `${saying(JSON.stringify({ goals, constraints }))}${how}`);

beforeEach(() => thinks({ goals: ["policy"] }));

async function ask(
  message: string,
  where = gateway,
): Promise<{ intent?: string; message: string; ui_hint?: object }> {
  const before = rests(where).length;
  const body = { message, session_id: randomUUID() };
  const { status, text } = await post(where, "/api/v1/chat", body, ANN);
  expect([status, text]).toEqual([200, expect.any(String)]);
  // The line comes after the answer.
  await until(() => rests(where).length > before);
  return JSON.parse(text);
}

function rests(where: TestGateway): string[] {
  return where
    .logs()
    .split("\n")
    .filter((line) => line.includes("run rests"));
}

/** How the log says that the latest turn was understood. */
function understood(where = gateway): object | undefined {
  return JSON.parse(rests(where).at(-1) ?? "{}").understood;
}

test("what nothing here is sure of is what the model says, and the run has what that cost", async () => {
  const run = await startRun(gateway, { message: UNCLEAR, session_id: randomUUID() }, ANN);
  const end = (await toRest(gateway, run, ANN)).at(-1);
  expect(end).toMatchObject({ type: "run_finished", data: { status: "ok", usage: { calls: 1 } } });
  // Either gateway may have taken it from the queue.
  await until(() => (understood() ?? understood(hasty)) !== undefined);
  expect(understood() ?? understood(hasty)).toMatchObject({
    category: "policy",
    goals: ["policy"],
    source: "model",
  });
});

test("whatever is clear asks no model", async () => {
  const before = models.requests.length;
  await ask("check the pricing rules");
  expect(understood()).toMatchObject({ category: "policy", source: "local" });
  expect(models.requests).toHaveLength(before);
});

test.each([
  ["is away", "+503"],
  ["is talked into a goal that there is not", ""],
])("a model that %s leaves the question", async (_, how) => {
  thinks({ goals: how === "" ? ["wire_money"] : ["policy"] }, how);
  const { ui_hint } = await ask(UNCLEAR);
  expect(ui_hint).toMatchObject({ buttons: expect.arrayContaining(["Check the pricing rules"]) });
  expect(understood()).toMatchObject({ source: "local" });
});

test("a model that is late leaves the question", async () => {
  thinks({ goals: ["policy"] }, "+stall-headers");
  const { ui_hint } = await ask(UNCLEAR, hasty);
  expect(ui_hint).toMatchObject({ buttons: expect.arrayContaining(["Check the pricing rules"]) });
  expect(understood(hasty)).toMatchObject({ source: "local" });
});

test("constraints are those that the flow declares and the message says", async () => {
  const says = "at most 50 % change";
  const forged = { goals: ["policy"], constraints: [{ name: "max_change_pct", says }] };
  thinks(forged);
  await ask(UNCLEAR);
  expect(understood()).toMatchObject({ source: "model", slots: [] });
  thinks({ goals: ["policy"], constraints: [{ name: "owner", says: "root" }] });
  await ask(UNCLEAR);
  expect(understood()).toMatchObject({ source: "local" });
});
