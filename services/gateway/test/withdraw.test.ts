import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ANN, as, decide, get, LEE, type Paused, pausedRun, post, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh, RULE, StoreView } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
let store: StoreView;
let replicas: [TestGateway, TestGateway];

beforeAll(async () => {
  const redis = keep(await testRedis());
  store = keep(new StoreView(redis.url));
  const agent = keep(await standIn(PUBLISHING));
  const manifest = publishingMesh(agent.url);
  const { publishing } = manifest.flows;
  const rule = { ...RULE, expires_in_s: 1 };
  const publish = { ...publishing.steps.publish, approval: rule };
  const hasty = { ...publishing, steps: { ...publishing.steps, publish } };
  const options = {
    manifest: { ...manifest, flows: { ...manifest.flows, hasty } },
    redisUrl: redis.url,
  };
  replicas = [keep(await testGateway(options)), keep(await testGateway(options))];
});

const withdraw = (run: Pick<Paused, "approvalId">, who = ANN, n = 0) =>
  post(replicas[n % 2] ?? replicas[0], `/api/v1/approvals/${run.approvalId}/withdraw`, {}, who);
const view = async ({ approvalId }: Paused) =>
  (await get(replicas[1], `/api/v1/approvals/${approvalId}`, LEE)).json();
const paused = (flow = "publishing") => pausedRun(replicas[0], { flow });

describe("whoever asked for an approval", () => {
  test("takes the request back: record, lists, decision log and event log say so, and nothing is published", async () => {
    const run = await paused();
    const answer = await withdraw(run);
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      { approval_id: run.approvalId, run_id: run.runId, decision: "withdrawn", by: "ann" },
    ]);
    expect(gatewayContract.decisionAnswer(answer.json())).toMatchObject({ ok: true });
    const events = await toRest(replicas[1], run.runId, ANN, run.seq);
    expect(events).toMatchObject([
      { type: "approval_decided", node: "publish", data: { decision: "withdrawn", by: "ann" } },
      {
        type: "run_finished",
        data: { status: "rejected", message: expect.stringContaining("its approval was withdrawn") },
      },
    ]);
    expect(await view(run)).toMatchObject({
      state: "withdrawn",
      winner: { decision: "withdrawn", by: "ann" },
    });
    const listed = async (state: string) =>
      (await get(replicas[0], `/api/v1/approvals?state=${state}`, LEE)).json().approvals as object[];
    expect(await listed("all")).toContainEqual(
      expect.objectContaining({ id: run.approvalId, state: "withdrawn" }),
    );
    expect(await listed("pending")).not.toContainEqual(expect.objectContaining({ id: run.approvalId }));
    const log = (await get(replicas[0], `/api/v1/approvals/${run.approvalId}/audit`, LEE)).json();
    expect(log.entries).toMatchObject([{ action: "requested" }, { action: "withdrawn", by: "ann" }]);
    expect(gatewayContract.auditList(log)).toMatchObject({ ok: true });
    expect(await store.published(run.runId)).toEqual([]);
  });

  test("is answered the same a second time; nobody approves it afterwards", async () => {
    const run = await paused();
    const answers = await Promise.all([0, 1, 0, 1].map((n) => withdraw(run, ANN, n)));
    for (const { status, text } of answers) expect([status, text]).toEqual([200, answers[0]?.text]);
    const late = await decide(replicas[1], run, "approve", LEE);
    expect([late.status, late.json()]).toMatchObject([
      409,
      { code: "conflict", winner: { decision: "withdrawn", by: "ann" } },
    ]);
    expect((await withdraw(run)).text).toBe(answers[0]?.text);
  });

  test("is told where it was decided before, and by whom only where he may read the approval", async () => {
    const run = await paused();
    await decide(replicas[0], run, "reject", LEE);
    const refused = await withdraw(run);
    expect([refused.status, refused.json()]).toMatchObject([409, { code: "conflict", state: "rejected" }]);
    expect(refused.text).not.toContain("lee");
    const operator = await withdraw(run, as("ola", "operator"));
    expect([operator.status, operator.json()]).toMatchObject([
      409,
      { state: "rejected", winner: { decision: "rejected", by: "lee" } },
    ]);
  });
});

test("others take no request back: approvers and readers of the run are told so, all others see nothing", async () => {
  const run = await paused();
  expect((await withdraw(run, LEE)).status).toBe(403);
  for (const who of [as("bea"), as("ann", "", "other"), as("nobody", "intern")])
    expect((await withdraw(run, who)).status).toBe(404);
  expect((await withdraw({ approvalId: "unknown" })).status).toBe(404);
  expect(await view(run)).toMatchObject({ state: "pending" });
  expect((await withdraw(run, as("ola", "operator"))).json()).toMatchObject({ by: "ola" });
});

describe("withdrawing at the same moment", () => {
  /** One of both has won, and the store, the log and the book agree on it. */
  async function settled(run: Paused): Promise<string> {
    const events = await toRest(replicas[1], run.runId, ANN, run.seq);
    const { state, winner } = await view(run);
    expect(winner).toMatchObject({ decision: state });
    expect(events.filter(({ type }) => type === "approval_decided")).toMatchObject([
      { data: { decision: state } },
    ]);
    expect(await store.published(run.runId)).toHaveLength(state === "approved" ? 1 : 0);
    return String(state);
  }

  test.each([
    ["approved first", true],
    ["withdrawn first", false],
  ])("as somebody approves, %s: one wins, the other is told", async (_, approveFirst) => {
    for (let round = 0; round < 25; round++) {
      const run = await paused();
      const acts = [
        () => decide(replicas[round % 2] ?? replicas[0], run, "approve", LEE),
        () => withdraw(run, ANN, round % 3),
      ];
      const sent = await Promise.all((approveFirst ? acts : acts.toReversed()).map((act) => act()));
      const [approved, withdrawn] = approveFirst ? sent : sent.toReversed();
      const state = await settled(run);
      expect([approved?.status, withdrawn?.status]).toEqual(state === "approved" ? [200, 409] : [409, 200]);
    }
  });

  test("as it expires: it is withdrawn or expired, never both", async () => {
    const states = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        const run = await paused("hasty");
        const expires = Date.parse(String((await view(run)).expires_at));
        await until(async () => (await clock()) >= expires - 10 + 2 * n);
        const answer = await withdraw(run, ANN, n);
        const state = await settled(run);
        expect([answer.status, state]).toEqual(answer.status === 200 ? [200, "withdrawn"] : [409, "expired"]);
        return state;
      }),
    );
    expect(states).toHaveLength(10);
  });
});

async function clock(): Promise<number> {
  const [seconds, micros] = await store.redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}
