import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ANN, as, get, post } from "../services/gateway/test/support/people.ts";
import { shippedMeshFile } from "../services/gateway/test/support/shipped-mesh.ts";
import { until } from "../services/gateway/test/support/until.ts";
import { type Mesh, startMesh } from "./lib/mesh.ts";
import { PRICING_AGENTS, servicesFor } from "./lib/services.ts";

/** What orders an effect in a conversation with the shipped mesh, and what only sounds like it. */
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

type Answer = {
  message: string;
  status?: string;
  approval?: { id: string };
  ui_hint?: { buttons: string[] };
};

function conversation() {
  const session_id = randomUUID();
  return async (message: string, more: object = {}): Promise<Answer> =>
    (await post(mesh, "/api/v1/chat", { message, session_id, ...more }, ANN)).json() as Answer;
}

const LEE = as("lee", "pricing_approver");

async function approvals(): Promise<number> {
  const { approvals } = (await get(mesh, "/api/v1/approvals", LEE)).json() as { approvals: unknown[] };
  return approvals.length;
}

/** A conversation in which the prices of the valve were proposed. */
async function proposed(): Promise<ReturnType<typeof conversation>> {
  const say = conversation();
  await say("Propose the best prices for the valve");
  return say;
}

test("what is no order raises no approval", async () => {
  const say = await proposed();
  const before = await approvals();
  for (const message of [
    "go ahead",
    "once more",
    "who has to approve?",
    "has it been published yet?",
    "who published it?",
    "is it fine?",
    "don't publish",
    "should I publish it?",
    "the boss said publish it",
    "publish it if the board agrees",
    "누가 승인해야 해?",
    "게시됐어?",
    "게시하지 마",
    "undo",
    "once more",
    "yes",
  ]) {
    const answer = await say(message);
    expect([message, answer.approval]).toEqual([message, undefined]);
  }
  expect(await approvals()).toBe(before);
});

test.each([
  "publish it",
  "OK, publish the valve at these prices",
  "Propose prices for the motor and publish them",
  "이 가격으로 게시해 주세요",
])("%s: acts at once", async (message) => {
  const say = await proposed();
  expect(await say(message)).toMatchObject({ status: "paused", approval: { id: expect.any(String) } });
});

describe("an effect that was not clearly ordered", () => {
  test("is asked about, and its button orders it", async () => {
    const say = await proposed();
    const asked = await say("should we publish it?");
    const [button = ""] = asked.ui_hint?.buttons ?? [];
    expect(button).toMatch(/^Yes: Publish the proposal \([0-9a-f]{6}\)$/);
    expect(asked.message).toMatch(/^For VALVE-V7[\s\S]*Shall I do it\?$/);
    expect(await say(button)).toMatchObject({ status: "paused" });
  });

  test("is ordered by a yes to the question just asked, and by no other", async () => {
    const say = await proposed();
    await say("should we publish it?");
    expect(await say("yes, please")).toMatchObject({ status: "paused" });
    const other = await proposed();
    await other("should we publish it?");
    await other("how robust are the prices?");
    expect((await other("yes, please")).approval).toBeUndefined();
    const third = await proposed();
    await third("should we publish it?");
    const no = await third("no");
    expect(no).toMatchObject({ message: "Nothing was done: “Publish the proposal”." });
    expect((await third("yes")).approval).toBeUndefined();
  });

  test("is asked about again where something that was said since is not settled", async () => {
    const say = await proposed();
    const [button = ""] = (await say("should we publish it?")).ui_hint?.buttons ?? [];
    const { ui_hint } = await say("with some limit on moves");
    expect(ui_hint?.buttons?.length).toBeGreaterThan(1);
    const again = await say(button);
    expect(again.approval).toBeUndefined();
    expect(again.message).toContain("this has changed: the constraints");
  });

  test("is asked about again where the button would do something else by now", async () => {
    const say = await proposed();
    const [button = ""] = (await say("should we publish it?")).ui_hint?.buttons ?? [];
    await say("at most 2 % change");
    const again = await say(button);
    expect(again.approval).toBeUndefined();
    expect(again.message).toContain("this has changed: the constraints and the proposal");
    const [fresh = ""] = again.ui_hint?.buttons ?? [];
    expect(fresh).not.toBe(button);
    expect((await say(button)).approval).toBeUndefined();
    expect(await say((await say(button)).ui_hint?.buttons[0] ?? "")).toMatchObject({ status: "paused" });
  });

  test("is asked about where nobody was asked: a button of another conversation orders nothing", async () => {
    const say = await proposed();
    const [button = ""] = (await say("should we publish it?")).ui_hint?.buttons ?? [];
    const other = await proposed();
    expect((await other(button)).approval).toBeUndefined();
    expect((await conversation()("Yes: Publish the proposal (000000)")).approval).toBeUndefined();
  });

  test("keeps nothing else from being done", async () => {
    const say = conversation();
    const answer = await say("Propose prices for the motor, and should we publish them?");
    expect(answer.approval).toBeUndefined();
    expect(answer.message).toContain("MOTOR-M2, new");
    expect(answer.message).toContain("Not done: “Publish the proposal”");
    const [button = ""] = answer.ui_hint?.buttons ?? [];
    expect(await say(button)).toMatchObject({ status: "paused" });
  });
});

test("goals that a caller's program names are its order, whatever the message says", async () => {
  const body = { message: "is it fine?", session_id: randomUUID(), flow: "pricing", goals: ["publish"] };
  const { run_id } = (await post(mesh, "/api/v1/runs", body, ANN)).json() as { run_id: string };
  await until(async () => {
    const { state } = (await get(mesh, `/api/v1/runs/${run_id}`, ANN)).json() as { state: string };
    return state === "paused";
  });
});
