import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ANN, as, decide, get, post, toRest } from "../services/gateway/test/support/people.ts";
import { shippedMeshFile } from "../services/gateway/test/support/shipped-mesh.ts";
import { type Mesh, startMesh } from "./lib/mesh.ts";
import { PRICING_AGENTS, servicesFor } from "./lib/services.ts";

/** What takes effect is what was said, over the shipped mesh: its manifest, its models, its real agents. */
let mesh: Mesh;
const manifest = shippedMeshFile();

beforeAll(async () => {
  mesh = await startMesh({
    services: servicesFor(PRICING_AGENTS),
    redis: { durable: false },
    // A busy machine holds the event loop longer than the mesh would.
    env: { MESH_FILE: manifest.file, LOOP_SHED_MS: "60000" },
    logDir: process.env.TEST_GATEWAY_LOGS,
  });
});
afterAll(async () => {
  await mesh.stop();
  manifest.remove();
});

const LEE = as("lee", "pricing_approver");

const tier = (price: number, elasticity: number, bounds?: object) => ({
  current_price: price,
  unit_cost: price * 0.6,
  ...(bounds ? { bounds } : {}),
  demand: {
    model: "constant_elasticity",
    reference_price: price,
    reference_quantity: 100,
    elasticity,
  },
});
const INPUTS = {
  items: [
    { item_id: "LATHE-L1", tiers: { new: tier(500, -2.2), repair: tier(310, -1.9) } },
    { item_id: "DRILL-D2", tiers: { new: tier(120, -2.4) } },
    { item_id: "SAW-S3", tiers: { new: tier(80, -3.1) } },
  ],
};
/** Revenue of two of these grows without end as the price falls: no price is best. */
const ENDLESS = {
  items: [
    { item_id: "LATHE-L1", tiers: { new: tier(500, -2.2, { min: 400, max: 600 }) } },
    { item_id: "DRILL-D2", tiers: { new: tier(120, -2.4, { min: 100, max: 150 }) } },
    { item_id: "SAW-S3", tiers: { new: tier(80, -3.1) } },
    { item_id: "SANDER-S4", tiers: { new: tier(60, -2.8) } },
  ],
};

type Payload = { item_id: string; tiers: Record<string, { price: number }> }[];
type Said = {
  message: string;
  thread_id: string;
  status?: string;
  approval?: { id: string; proposal_hash: string };
  refused?: { node: string; code: string; differences: { slot: string; verdict: string; message: string }[] };
  ui_hint?: { buttons: string[] };
};

function conversation() {
  const session_id = randomUUID();
  return async (message: string, inputs?: object): Promise<Said> => {
    const body = { message, session_id, ...(inputs ? { inputs } : {}) };
    return (await post(mesh, "/api/v1/chat", body, ANN)).json() as Said;
  };
}

async function approvalOf({ approval }: Said) {
  const view = await get(mesh, `/api/v1/approvals/${approval?.id}`, LEE);
  return view.json() as { proposal: Payload; shown: Record<string, unknown> };
}

/** What the price book has of a run. */
async function published({ thread_id, approval }: Said): Promise<Payload | undefined> {
  const decision = { approvalId: approval?.id ?? "", hash: approval?.proposal_hash ?? "" };
  expect((await decide(mesh, decision, "approve", LEE)).status).toBe(200);
  await toRest(mesh, thread_id);
  const { entries } = (await get(mesh, "/api/v1/price-book", LEE)).json() as {
    entries: { run_id: string; payload: Payload }[];
  };
  return entries.find(({ run_id }) => run_id === thread_id)?.payload;
}

const names = (payload: Payload | undefined) => payload?.map(({ item_id }) => item_id);

describe("of a proposal that was made before, what is said takes effect", () => {
  test.each(["publish the lathe only", "Publish only LATHE-L1", "LATHE-L1만 게시해 줘"])(
    "one of two items: %s",
    async (message) => {
      const say = conversation();
      await say("Propose prices for LATHE-L1 and DRILL-D2 with a maximum change of 5%", INPUTS);
      const paused = await say(message);
      expect(paused).toMatchObject({ status: "paused" });
      const { proposal, shown } = await approvalOf(paused);
      expect(names(proposal)).toEqual(["LATHE-L1"]);
      expect(JSON.stringify(shown)).not.toContain("DRILL-D2");
      expect(paused.message).not.toContain("DRILL-D2");
      expect(names(await published(paused))).toEqual(["LATHE-L1"]);
    },
  );

  test("the first one, under the limit that it was made with", async () => {
    const say = conversation();
    const first = await say("Propose prices for LATHE-L1 with a maximum change of 6%", INPUTS);
    await say("now at most 2%");
    const paused = await say("publish the first proposal");
    expect(paused).toMatchObject({ status: "paused" });
    expect(paused.message).toContain("at most 6 % change");
    const { proposal } = await approvalOf(paused);
    const { price = 0 } = proposal[0]?.tiers.new ?? {};
    expect(Math.abs(price / 500 - 1)).toBeGreaterThan(0.02);
    expect(first.message).toContain(`→ ${price.toFixed(2)}`);
  });

  test("one of two tiers", async () => {
    const say = conversation();
    await say("Propose prices for LATHE-L1", INPUTS);
    const paused = await say("publish only the repair tier");
    expect(paused).toMatchObject({ status: "paused" });
    const { proposal } = await approvalOf(paused);
    expect(proposal).toEqual([{ item_id: "LATHE-L1", tiers: { repair: { price: expect.any(Number) } } }]);
  });
});

describe("half a catalogue is not published as a whole", () => {
  test("what has no price is named with its reason, and the part has to be asked for", async () => {
    const say = conversation();
    const refused = await say("Maximise revenue and publish", ENDLESS);
    expect(refused).toMatchObject({
      status: "rejected",
      refused: {
        node: "publish",
        code: "order_not_met",
        differences: [{ slot: "items", verdict: "incomplete" }],
      },
      ui_hint: { buttons: ["Publish only LATHE-L1 and DRILL-D2"] },
    });
    expect(refused.approval).toBeUndefined();
    expect(refused.message).toContain("Proposed prices for 2 of 4 items");
    expect(refused.message).toMatch(/- SAW-S3: .+\n- SANDER-S4: .+/);
    expect(refused.message).toContain('The step "publish" was not done');
    const events = await toRest(mesh, refused.thread_id);
    const optimized = events.find(({ type, node }) => type === "step_finished" && node === "optimize");
    expect(JSON.stringify(optimized)).toContain("SANDER-S4");

    const paused = await say(refused.ui_hint?.buttons[0] ?? "");
    expect(paused).toMatchObject({ status: "paused" });
    const { proposal } = await approvalOf(paused);
    expect(names(proposal)).toEqual(["LATHE-L1", "DRILL-D2"]);
    expect(names(await published(paused))).toEqual(["LATHE-L1", "DRILL-D2"]);
  });

  test("a proposal alone says so, too", async () => {
    const say = conversation();
    const { message, status } = await say("Propose prices that maximise revenue", ENDLESS);
    expect(status).toBe("ok");
    expect(message).toContain("Proposed prices for 2 of 4 items");
    expect(message).toMatch(/- SAW-S3: .+\n- SANDER-S4: .+/);
  });
});

test("a flow that pauses says what waits, who may decide and until when, and shows the proposal", async () => {
  const say = conversation();
  const { message, approval } = await say("Propose prices for LATHE-L1 and publish them", INPUTS);
  expect(message).not.toContain("Done:");
  expect(message).toMatch(/- LATHE-L1, new: [\d.]+ → [\d.]+/);
  expect(message).toContain(`The step "publish" (Publish the proposal) waits for approval ${approval?.id}.`);
  expect(message).toMatch(/It can be decided by pricing_approver until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
});
