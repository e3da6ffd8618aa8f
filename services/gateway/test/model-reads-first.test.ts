import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { saying } from "../../../scripts/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../../../scripts/model-server/server.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { as, post } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { shippedMesh } from "./support/shipped-mesh.ts";
import { answering, callsOf, type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
const ANN = as("ann", "analyst", `t-${randomUUID()}`);
/** Both local readers take it alike, and what for is clear. */
const CLEAR = "propose new prices, at most 5 % change";
const INPUTS = { items: [{ item_id: "A-1", name: "saw", prices: { new: 10 } }] };

let gateway: TestGateway;
/** One that waits for a model hardly at all. */
let hasty: TestGateway;
/** The same, and whatever could be wrong is asked about. */
let doubting: TestGateway;
let models: ModelServer;
let agent: StandIn;

beforeAll(async () => {
  const redis = keep(await testRedis());
  models = keep(await startModelServer());
  const effect = { demand: 1, revenue: 1, profit: 1 };
  const totals = { current: effect, expected: effect, change: effect };
  agent = keep(
    await standIn({
      PRICE_OPTIMIZATION: answering({ items: [], totals }),
      POLICY_CHECK: answering({
        passed: true,
        violations: [],
        suggestions: [],
        current: { violations: [], suggestions: [] },
      }),
    }),
  );
  const start = (intent: object, env = {}) =>
    testGateway({
      redisUrl: redis.url,
      env,
      manifest: {
        ...shippedMesh(agent.url),
        models: {
          default: "rules",
          allow: ["rules", "small"],
          tasks: { intent },
          providers: { here: { kind: "openai_compatible", base_url: models.url } },
          models: { small: { provider: "here", model: "small", retries: 0 } },
        },
      },
    });
  gateway = keep(await start({ model: "small", timeout_ms: 20_000 }));
  hasty = keep(await start({ model: "small", timeout_ms: 300 }));
  doubting = keep(await start({ model: "small", timeout_ms: 1_000 }, { READING_RISK: "0" }));
});

type Claim = Record<string, unknown>;
const claim = (quote: string, slot: string, more: Claim = {}): Claim => ({
  ...{ quote, slot, op: "set", names: [], number: null, direction: "none", scope: [], status: "applies" },
  ...more,
});
const CHANGE = claim("at most 5 % change", "max_change_pct", { number: 0.05, direction: "most" });

function says(route: string[], claims: Claim[] = [], more: object = {}): void {
  const told = { route, goes_on: false, command: "none", claims, named: [], ...more };
  models.script("small", saying(JSON.stringify(told)));
}

type Answer = { message: string; ui_hint?: { buttons: string[] } };

async function ask(message: string, where = gateway, session_id: string = randomUUID()): Promise<Answer> {
  const body = { message, session_id, inputs: INPUTS };
  const { status, text } = await post(where, "/api/v1/chat", body, ANN);
  expect([status, text]).toEqual([200, expect.any(String)]);
  return JSON.parse(text);
}

/** What the agent was asked with the last time. */
const constraints = (task = "PRICE_OPTIMIZATION"): Claim[] =>
  Object(callsOf(agent, task).at(-1)?.body).inputs?.constraints ?? [];

test("what it says, and the local readers read, is applied", async () => {
  says(["optimizer"], [CHANGE]);
  const asked = models.requests.length;
  const { message } = await ask(CLEAR);
  expect(models.requests.length).toBe(asked + 1);
  expect(message.split("\n")[0]).toMatch(/^At most 5 % change/);
  expect(constraints()).toMatchObject([{ slot: "max_change_pct", value: 0.05 }]);
});

test("it says what a message is for that nobody here is sure of", async () => {
  says(["policy"]);
  const before = callsOf(agent, "POLICY_CHECK").length;
  await ask("is it fine?");
  expect(callsOf(agent, "POLICY_CHECK")).toHaveLength(before + 1);
});

test.each([
  ["quotes what the message does not say", claim("at most 50 % change", "max_change_pct", { number: 0.5 })],
  ["says another number than it quotes", { ...CHANGE, number: 0.5 }],
  [
    "turns a limit into another slot's",
    claim("at most 5 %", "min_margin", { number: 0.05, direction: "least" }),
  ],
  ["invents a selection", claim("prices", "items", { op: "only", names: ["A-1"] })],
])("where it %s, that is not applied unasked", async (_, wrong) => {
  says(["optimizer"], [wrong]);
  const before = callsOf(agent, "PRICE_OPTIMIZATION").length;
  const { ui_hint, message } = await ask(CLEAR);
  if (callsOf(agent, "PRICE_OPTIMIZATION").length === before) {
    expect(ui_hint?.buttons.length).toBeGreaterThan(1);
    return;
  }
  // What both local readers read stands, or is named.
  const applied = constraints();
  expect(applied.every(({ slot, value }) => slot === "max_change_pct" && value === 0.05)).toBe(true);
  if (applied.length === 0) expect(message).toMatch(/Not applied: .*5 %/);
});

test("what it leaves out, and a local reader reads, is applied or asked about", async () => {
  says(["optimizer"]);
  const before = callsOf(agent, "PRICE_OPTIMIZATION").length;
  const { ui_hint, message } = await ask(CLEAR);
  if (callsOf(agent, "PRICE_OPTIMIZATION").length === before)
    expect(ui_hint?.buttons.length).toBeGreaterThan(1);
  else expect(message.split("\n")[0]).toMatch(/5 %/);
});

test.each([
  ["is away", "status-503"],
  ["breaks its answer off", `${saying('{"route": ["opt')}`],
  ["answers in another form", saying(JSON.stringify({ goals: ["optimizer"] }))],
  ["refuses", saying("I cannot help with that.")],
  ["answers in the wrong protocol", "malformed"],
  [
    "answers with a megabyte",
    saying(JSON.stringify({ route: ["optimizer"], named: ["x".repeat(1_000_000)] })),
  ],
  ["is talked into a goal that there is not", saying(JSON.stringify({ route: ["wire_money"] }))],
])("a model that %s leaves it to the local readers", async (_, how) => {
  models.script("small", how);
  const { message } = await ask(CLEAR);
  expect(message.split("\n")[0]).toMatch(/^At most 5 % change/);
  expect(constraints()).toMatchObject([{ slot: "max_change_pct", value: 0.05 }]);
});

test("one that never answers is not waited for", async () => {
  models.script("small", "stall-headers");
  const { message } = await ask(CLEAR, hasty);
  expect(message.split("\n")[0]).toMatch(/^At most 5 % change/);
});

test("what it hears of a yes changes nothing of what was agreed to", async () => {
  const session = randomUUID();
  models.script("small", "stall-headers");
  expect((await ask(CLEAR, doubting, session)).message).toMatch(/I read it so: .*at most 5 % change/i);
  const asked = models.requests.length;
  says(["policy"], [], { goes_on: true });
  const { message } = await ask("yes", doubting, session);
  expect(models.requests.length).toBe(asked + 1);
  expect(message.split("\n")[0]).toMatch(/^At most 5 % change/);
  expect(constraints()).toMatchObject([{ slot: "max_change_pct", value: 0.05 }]);
});

test("its words are quoted as the message has them, misspelt ones too", async () => {
  const misspelt = "propose new pricces, at most 5 % chnage";
  says(["optimizer"], [{ ...CHANGE, quote: "at most 5 % chnage" }]);
  await ask(misspelt);
  expect(constraints()).toMatchObject([{ slot: "max_change_pct", value: 0.05 }]);
});
