import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { LargeValues, loadMesh } from "../services/gateway/src/mesh/index.ts";
import {
  ANN,
  as,
  decide,
  get,
  pausedRun,
  post,
  startRun,
  toRest,
} from "../services/gateway/test/support/people.ts";
import { shippedMeshFile } from "../services/gateway/test/support/shipped-mesh.ts";
import { type Mesh, startMesh } from "./lib/mesh.ts";
import { root } from "./lib/paths.ts";
import { PRICING_AGENTS, servicesFor } from "./lib/services.ts";

/** The shipped flow `pricing` with its real agents. */
let mesh: Mesh;
const manifest = shippedMeshFile();
let redis: Redis;

beforeAll(async () => {
  mesh = await startMesh({
    services: servicesFor(PRICING_AGENTS),
    redis: { durable: false },
    // A busy machine holds the event loop longer than the mesh would.
    env: { MESH_FILE: manifest.file, LOOP_REPORT_MS: "5", LOOP_SHED_MS: "60000" },
    // Where `npm test` looks for stalls.
    logDir: process.env.TEST_GATEWAY_LOGS,
  });
  redis = new Redis(mesh.redisUrl);
});
afterAll(async () => {
  redis.disconnect();
  await mesh.stop();
  manifest.remove();
});

const demand = (reference_price: number, elasticity: number) => ({
  model: "constant_elasticity",
  reference_price,
  reference_quantity: 100,
  elasticity,
});
const tier = (price: number, elasticity = -3) => ({
  current_price: price,
  unit_cost: price * 0.6,
  demand: demand(price, elasticity),
});
const item = (item_id: string) => ({ item_id, tiers: { new: tier(100), repair: tier(60) } });

/** Every input field that the flow takes. */
const EVERY_FIELD: Record<string, unknown> = {
  items: [item("A-1"), item("A-2"), item("A-3")],
  tier_order: ["new", "repair"],
  min_gap: { share: 0.03, amount: 1 },
  thresholds: { new_exchange: { share: 0.03, amount: 2 } },
  objective: "profit",
  max_change_pct: 0.2,
  price_increment: 0.05,
  enforce: ["bounds", "max_change", "ordering", "gaps"],
  extrapolate: true,
  observed_margin: 0.1,
  currency: "EUR",
  locale: "de-DE",
  segment: "standard",
  region: "EMEA",
  catalogue: "Spares",
  anchor: "new",
  weights: { repair: 2 },
  max_items: 1,
  uncertainty: { draws: 200, seed: 7, elasticity_pct: 0.2 },
};
/** Fields that an agent takes and callers of the flow do not give: it proposes prices itself, of many items, and says what was said. */
const NOT_OF_THE_FLOW = [
  ...["item_id", "prices", "proposed", "constraints", "language", "failures"],
  ...["optimized", "checked", "rounds", "explained", "tested"],
];

const LEE = as("lee", "pricing_approver");
const ask = (inputs: object, { plan }: { plan: boolean }) =>
  post(
    mesh,
    `/api/v1/chat?plan=${plan}`,
    { message: "Propose prices", session_id: randomUUID(), inputs },
    ANN,
  );

type Card = { task_types: { task_type: string; inputs: { properties: Record<string, unknown> } }[] };

/** The input fields of an agent's task, as its card says. */
async function fieldsOf(agent: string, taskType: string): Promise<string[]> {
  const card = (await (await fetch(`${mesh.urls[agent]}/agents/card`)).json()) as Card;
  const task = card.task_types.find(({ task_type }) => task_type === taskType);
  return Object.keys(task?.inputs.properties ?? {});
}

describe("the flow takes every input field that its agents know", () => {
  const large = new LargeValues({ largeTimeoutMs: 30_000, largeMemoryMb: 256 });
  afterAll(() => large.close());
  const flow = loadMesh(join(root, "mesh.yaml"), {}, large).flows.get("pricing");
  const steps = [...(flow?.steps.values() ?? [])].filter((step) => step.kind === "agent");

  test("and says so", async () => {
    const known = await Promise.all(steps.map(({ agent, taskType }) => fieldsOf(agent, taskType)));
    const taken = new Set(known.flat().filter((field) => !NOT_OF_THE_FLOW.includes(field)));
    expect(new Set(Object.keys(EVERY_FIELD))).toEqual(taken);
    expect(flow?.accepts).toEqual(taken);
  });

  test("each step and the check of edits pass on what their agent knows, and all of the request", async () => {
    const proposed: unknown[] = [];
    const context = {
      request: { inputs: EVERY_FIELD },
      constraints: [],
      proposal: proposed,
      steps: {
        check: { kept: { proposed }, outputs: { passed: true } },
        optimize: { outputs: { proposed } },
      },
    };
    const publish = flow?.steps.get("publish");
    const checks = [publish?.approval?.edit?.check, publish?.verify].filter((check) => check !== undefined);
    expect(checks).toHaveLength(2);
    for (const { agent, taskType, inputs } of [...steps, ...checks]) {
      const known = await fieldsOf(agent, taskType);
      const given = Object.keys((await inputs(context)) ?? {});
      expect({ taskType, unknown: given.filter((field) => !known.includes(field)) }).toEqual({
        taskType,
        unknown: [],
      });
      expect(given).toEqual(expect.arrayContaining(Object.keys(EVERY_FIELD)));
    }
  });

  test("and a plan over the agents succeeds with all of them at once", async () => {
    const run = await startRun(mesh, { flow: "pricing", inputs: EVERY_FIELD });
    expect((await toRest(mesh, run)).at(-1)).toMatchObject({ type: "run_finished", data: { status: "ok" } });
    const journal = await redis.hgetall(`il:{default}:run:${run}:steps`);
    const outputs = (step: string) => JSON.parse(journal[step] ?? "{}").outputs;
    // `max_items` had its effect: the explainer left two items out.
    expect(outputs("explain")).toMatchObject({ omitted: 2, items: [expect.anything()] });
    expect(outputs("optimize").items).toHaveLength(3);
  });
});

describe("an input that the flow does not take is refused by its name", () => {
  test.each([...NOT_OF_THE_FLOW, "max_chnage_pct", "constructor"])("%s", async (field) => {
    const inputs = { ...EVERY_FIELD, [field]: 0.1 };
    const answers = [
      await ask(inputs, { plan: true }),
      await post(mesh, "/api/v1/runs", { flow: "pricing", session_id: randomUUID(), inputs }, ANN),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.json().code]).toEqual([422, "invalid_inputs"]);
      expect(answer.json().error).toContain(`"${field}"`);
      expect(answer.json().thread_id).toBeUndefined();
    }
  });

  test("and so that the answer stays short", async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => [`${index}`.padEnd(500, "x"), 1]);
    const answer = await ask(Object.fromEntries(names), { plan: true });
    expect(answer.status).toBe(422);
    expect(answer.json().error).toMatch(/ and 995 more\.$/);
    expect(answer.text.length).toBeLessThan(1_000);
  });
});

describe("inputs that an agent cannot work with are the caller's fault", () => {
  const unbounded = { items: [{ item_id: "A-1", tiers: { new: tier(100, -0.5) } }] };
  test.each([
    ["a wrong type", { items: "all" }, "INVALID_INPUTS"],
    ["no items", {}, "INVALID_INPUTS"],
    ["an optimum without bounds", unbounded, "UNBOUNDED"],
  ])("%s: 422 with the agent's code, in a simple ask and in a plan", async (_, inputs, agentCode) => {
    for (const plan of [false, true]) {
      const answer = await ask(inputs, { plan });
      expect(answer.json()).toMatchObject({
        code: "invalid_inputs",
        agent_code: agentCode,
        retryable: false,
      });
      expect(answer.status).toBe(422);
    }
  });
});

describe("an edit of the proposal", () => {
  const inputs = { items: [item("A-1"), item("A-2")] };
  const edit = (price: number, more: object = {}) => ({ item_id: "A-1", tier: "new", price, ...more });

  test.each([
    ["of an item that is not there", [edit(99), edit(99, { item_id: "B-1" })]],
    ["of a tier that is not there", [edit(99, { tier: "usm" })]],
    ["of a tier that every object has", [edit(99, { tier: "constructor" })]],
    ["that is no list", edit(99)],
    ["that is an empty list", []],
    ["with a price that is text", [edit(99, { price: "99" })]],
    ["with a price of 0", [edit(0)]],
    ["with a field that is not known", [edit(99, { currency: "EUR" })]],
    ["without a price", [{ item_id: "A-1", tier: "new" }]],
  ])("%s is refused, and its author may still approve", async (_, edits) => {
    const run = await pausedRun(mesh, { flow: "pricing", goals: ["publish"], inputs });
    const answer = await decide(mesh, run, "edit", LEE, { edits });
    expect([answer.status, answer.json().code]).toEqual([400, "invalid_request"]);
    const approval = (await get(mesh, `/api/v1/approvals/${run.approvalId}`, LEE)).json();
    expect(approval).toMatchObject({ state: "pending", proposal_hash: run.hash, editors: [] });
  });

  test("to the price that is proposed already is refused; to another one it changes that price alone", async () => {
    const run = await pausedRun(mesh, { flow: "pricing", goals: ["publish"], inputs });
    const view = async () => (await get(mesh, `/api/v1/approvals/${run.approvalId}`, LEE)).json();
    const { proposal } = await view();
    const [first] = proposal as { tiers: { new: { price: number } } }[];
    const price = first?.tiers.new.price ?? 0;
    const same = await decide(mesh, run, "edit", LEE, { edits: [edit(price)] });
    expect([same.status, same.json().error]).toEqual([400, "The edits change nothing."]);
    const changed = await decide(mesh, run, "edit", LEE, { edits: [edit(price + 1)] });
    expect(changed.status).toBe(200);
    const expected = structuredClone(proposal) as typeof proposal & { tiers: { new: { price: number } } }[];
    if (expected[0]) expected[0].tiers.new.price = price + 1;
    expect(await view()).toMatchObject({ proposal: expected, editors: ["lee"] });
  });
});
