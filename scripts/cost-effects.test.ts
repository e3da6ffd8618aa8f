import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ANN, as, decide, get, type Paused, post, toRest } from "../services/gateway/test/support/people.ts";
import { shippedMeshFile } from "../services/gateway/test/support/shipped-mesh.ts";
import { type Mesh, startMesh } from "./lib/mesh.ts";
import { servicesFor } from "./lib/services.ts";

/** What takes effect of cloud cost, with the shipped manifest and its real agents: budgets, and actions on savings. */
let mesh: Mesh;
const manifest = shippedMeshFile();

beforeAll(async () => {
  mesh = await startMesh({
    services: servicesFor(new Set(["cost", "savings"])),
    redis: { durable: false },
    // A busy machine holds the event loop longer than the mesh would.
    env: { MESH_FILE: manifest.file, LOOP_SHED_MS: "60000" },
  });
});
afterAll(async () => {
  await mesh.stop();
  manifest.remove();
});

const BO = as("bo", "pricing_approver");
type Book = { entries: { run_id: string; payload: Record<string, unknown>[] }[] };

/** Asks for something with an effect, in the last of some messages. */
async function ordered(messages: readonly string[], headers = ANN): Promise<Paused> {
  const session_id = randomUUID();
  let answer: Record<string, unknown> = {};
  for (const message of messages)
    answer = (await post(mesh, "/api/v1/chat", { message, session_id }, headers)).json();
  expect(answer).toMatchObject({ status: "paused" });
  const { id, proposal_hash } = answer.approval as { id: string; proposal_hash: string };
  return { runId: String(answer.thread_id), approvalId: id, hash: proposal_hash, seq: 0 };
}

async function entriesOf(book: string, run: string): Promise<Book["entries"]> {
  const { entries } = (await get(mesh, `/api/v1/${book}?limit=100`, ANN)).json() as Book;
  return entries.filter(({ run_id }) => run_id === run);
}

describe("a budget", () => {
  test("is proposed with its chance, and created once somebody else has approved it", async () => {
    const paused = await ordered([
      "What will AWS cost next month?",
      "Create a budget of $60,000 for that, with an alert at 90%",
    ]);
    const shown = await get(mesh, `/api/v1/approvals/${paused.approvalId}`, BO);
    expect(shown.json()).toMatchObject({
      proposal: [
        {
          kind: "budget",
          filter: [{ field: "provider", op: "only", values: ["AWS"] }],
          amount: 60_000,
          currency: "USD",
          period: { from: "2026-10-01", to: "2026-10-31" },
          thresholds: [{ share: 0.9, of: "actual" }],
        },
      ],
      shown: { amount_from: "said", chance_exceeded: expect.any(Number) },
    });
    expect(await entriesOf("budgets", paused.runId)).toEqual([]);
    expect(await decide(mesh, paused, "approve", BO)).toMatchObject({ status: 200 });
    const events = await toRest(mesh, paused.runId);
    expect(events.at(-1)).toMatchObject({ type: "run_finished", data: { status: "ok" } });
    const entries = await entriesOf("budgets", paused.runId);
    expect(entries.map(({ payload }) => payload[0]?.amount)).toEqual([60_000]);
  });

  test("without an amount is that of the forecast, which an approver may change, and nothing else", async () => {
    const session_id = randomUUID();
    const ask = async (message: string) =>
      (await post(mesh, "/api/v1/chat", { message, session_id }, ANN)).json() as Record<string, unknown>;
    const asked = await ask("set a monthly budget for Azure");
    const paused = asked.status === "paused" ? asked : await ask("yes");
    const { id, proposal_hash } = paused.approval as { id: string; proposal_hash: string };
    const approval = { approvalId: id, hash: proposal_hash };
    const [alert] = (await get(mesh, `/api/v1/approvals/${id}`, BO)).json().proposal as { id: string }[];
    const edit = (more: object) =>
      decide(mesh, approval, "edit", BO, { edits: [{ id: alert?.id, amount: 41_000, ...more }] });
    expect((await edit({ currency: "EUR" })).status).toBeGreaterThanOrEqual(400);
    expect(await edit({})).toMatchObject({ status: 200 });
  });

  test("of what was said otherwise is not created", async () => {
    const constraints = [
      { slot: "provider", op: "only", value: ["AWS"] },
      { slot: "budget", op: "set", value: 60_000 },
    ];
    const alert = {
      id: "b",
      kind: "budget",
      metric: "effective",
      filter: [{ field: "provider", op: "only", values: ["AWS"] }],
      amount: 60_000,
      currency: "USD",
      period: { every: "month" },
      thresholds: [{ share: 1, of: "actual" }],
    };
    const judged = async (change: object) => {
      const inputs = { constraints, proposed: [{ ...alert, ...change }] };
      const body = { request_id: "r", task_type: "ALERT_CHECK", mode: "LIVE", inputs };
      const response = await fetch(`${mesh.urls.savings}/agents/run/sync`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return ((await response.json()) as { outputs: { passed: boolean } }).outputs.passed;
    };
    expect(await judged({})).toBe(true);
    const region = { field: "region", op: "only", values: ["us-east-1"] };
    for (const change of [
      { amount: 61_000 },
      { filter: [] },
      { filter: [...alert.filter, region] },
      { filter: [{ field: "provider", op: "except", values: ["AWS"] }] },
      { period: {} },
    ])
      expect([change, await judged(change)]).toEqual([change, false]);
  });
});

test("recommended changes are handed over with what was said, once they are approved", async () => {
  const paused = await ordered(["How can we save on AWS?", "carry out only the idle ones"]);
  expect(await decide(mesh, paused, "approve", BO)).toMatchObject({ status: 200 });
  expect((await toRest(mesh, paused.runId)).at(-1)).toMatchObject({ data: { status: "ok" } });
  const [entry, ...more] = await entriesOf("savings-actions", paused.runId);
  expect(more).toEqual([]);
  expect(entry?.payload.map(({ type, target }) => [type, target]).sort()).toEqual([
    ["delete", "111122223333/app/4a31"],
    ["delete", "111122223333/app/6920"],
    ["delete", "111122223333/app/880f"],
  ]);
});

describe("an approved effect happens once, though the gateway is killed", () => {
  const BUDGET = ["budgets", "Set a monthly budget of $60,000 for AWS"] as const;
  const ACTIONS = ["savings-actions", "carry out the top 2 recommendations for AWS"] as const;

  test.each([
    [...BUDGET, "while the decision is sent"],
    [...BUDGET, "behind the decision"],
    [...ACTIONS, "while the decision is sent"],
  ] as const)("%s: %s, %s", async (book, message, place) => {
    const paused = await ordered([message]);
    const decision = decide(mesh, paused, "approve", BO).catch(() => undefined);
    if (place === "behind the decision") await decision;
    const gateway = mesh.find("gateway");
    gateway.kill("SIGKILL");
    await gateway.exited();
    await decision;
    gateway.start();
    await gateway.ready();
    // The same decision again, where the first one may not have arrived.
    await decide(mesh, paused, "approve", BO);
    expect((await toRest(mesh, paused.runId)).at(-1)).toMatchObject({ data: { status: "ok" } });
    expect(await entriesOf(book, paused.runId)).toHaveLength(1);
  });
});
