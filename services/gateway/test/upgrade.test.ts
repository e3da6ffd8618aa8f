import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Left, Waiting } from "../../../scripts/upgrade/leave.ts";
import { proposalHash } from "../src/approvals/proposal.ts";
import { keysOf } from "../src/store/keys.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { as, decide, get, type LogEvent, post, toRest } from "./support/people.ts";
import { StoreView } from "./support/publishing.ts";
import { startRedis } from "./support/redis.ts";
import { agentVariables, shippedMesh } from "./support/shipped-mesh.ts";
import { answering, callsOf, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const DATA = fileURLToPath(new URL("./data/", import.meta.url));
const RECORDED = readdirSync(DATA).flatMap((name) => /^(upgrade-.+)\.rdb\.gz$/.exec(name)?.[1] ?? []);

/** What scripts/upgrade/record.ts wrote beside the store. */
type Recorded = { commit: string; runs: "refused" | "carried-on"; left: Left };

const PROPOSED = [{ item_id: "VALVE-V7", tiers: { new: { price: 120 } } }];
const AGENTS = {
  PRICE_OPTIMIZATION: answering({
    summary: "Proposed.",
    proposed: PROPOSED,
    items: PROPOSED,
    totals: {},
    applied: [],
  }),
  POLICY_CHECK: answering({ summary: "Passed.", passed: true, violations: [], suggestions: [], current: {} }),
  ORDER_CHECK: answering({ summary: "As said.", passed: true, verdicts: [] }),
  PRICE_EXPLANATION: answering({ summary: "Cost drives it." }),
  SENSITIVITY_ANALYSIS: answering({ summary: "Robust.", totals: {} }),
  PRICING_REPORT: answering({ summary: "A review.", proposed: PROPOSED, shown: {} }),
};

/** Words of the recorded messages and proposals. */
const CONTENTS = [
  "GEARBOX-A1",
  "Propose prices",
  "then explain the drivers",
  "maximum change of 5",
  "2400.84",
];

const keep = closingAtEnd();

describe.each(RECORDED)("over the store of %s", (name) => {
  const { runs, left } = JSON.parse(readFileSync(join(DATA, `${name}.json`), "utf8")) as Recorded;
  const { waiting, published, session, plan, ask } = left;
  const requester = as(left.requester);
  const approver = as(left.approver, "pricing_approver");
  let agent: StandIn;
  let store: StoreView;
  let gateway: TestGateway;

  beforeAll(async () => {
    const redis = keep(await storeOf(name));
    store = keep(new StoreView(redis.url));
    agent = keep(await standIn(AGENTS));
    // Its owners' indexes go with their records, which were written long ago.
    const ttl = { RUN_TTL_S: String(365 * 86_400), SESSION_TTL_S: String(3_650 * 86_400) };
    // What is kept is told from what is done with it, and not from an answer to a question.
    const env = { ...ttl, ...agentVariables(agent.url), READING_RISK: "1" };
    gateway = keep(await testGateway({ manifest: shippedMesh(agent.url), redisUrl: redis.url, env }));
  });

  const bookOf = async () =>
    (await get(gateway, "/api/v1/price-book", requester)).json().entries as {
      run_id: string;
      payload: unknown;
    }[];
  const approvalOf = async (id: string) => (await get(gateway, `/api/v1/approvals/${id}`, approver)).json();
  const stateOf = async (run: string) => (await get(gateway, `/api/v1/runs/${run}`, requester)).json();
  const say = (where: string, message: string) =>
    post(gateway, "/api/v1/chat", { session_id: where, message }, requester);

  const constraintsGiven = () => Object(callsOf(agent, "PRICE_OPTIMIZATION").at(-1)?.body.inputs).constraints;

  /** A run that waited comes to its end, once, and its session is free for others. */
  async function expectOver({ run, session: where }: Pick<Waiting, "run" | "session">): Promise<LogEvent[]> {
    const events = await toRest(gateway, run, requester);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter(({ type }) => /^run_(finished|failed|cancelled)$/.test(type))).toHaveLength(1);
    if (runs === "refused")
      expect(events.at(-1)).toMatchObject({
        type: "run_failed",
        data: { code: "edition_gone", retryable: false, message: expect.stringContaining("Ask again") },
      });
    else expect(events.at(-1)).toMatchObject({ type: "run_finished" });
    expect(await say(where, "Check the pricing rules")).toMatchObject({ status: 200 });
    return events;
  }

  test("an approval that waits is listed, and shows its proposal", async () => {
    const { run, approval, hash } = waiting.approve;
    const shown = { id: approval, run_id: run, state: "pending", proposal_hash: hash };
    const view = await approvalOf(approval);
    expect(view).toMatchObject(shown);
    expect(proposalHash(run, "publish", view.proposal)).toBe(hash);
    const { approvals } = (await get(gateway, "/api/v1/approvals", approver)).json();
    const ids = Object.values(waiting).map((one) => ({ id: one.approval }));
    expect(approvals).toEqual(expect.arrayContaining(ids.map((one) => expect.objectContaining(one))));
  });

  test("approved, it takes effect once, or says what to do", async () => {
    const { approval: approvalId, hash, run } = waiting.approve;
    const answer = await decide(gateway, { approvalId, hash }, "approve", approver);
    if (runs === "refused") {
      expect(answer.status).toBe(410);
      expect(answer.json()).toMatchObject({ code: "edition_gone" });
      expect(await approvalOf(approvalId)).toMatchObject({ state: "pending" });
      await decide(gateway, { approvalId, hash }, "reject", approver);
    } else expect(answer.status).toBe(200);
    await expectOver(waiting.approve);
    expect((await bookOf()).filter(({ run_id }) => run_id === run)).toHaveLength(runs === "refused" ? 0 : 1);
    expect(await approvalOf(approvalId)).toMatchObject({
      state: runs === "refused" ? "rejected" : "approved",
    });
  });

  test("rejected, it ends its run", async () => {
    const { approval: approvalId, hash } = waiting.reject;
    expect(await decide(gateway, { approvalId, hash }, "reject", approver)).toMatchObject({ status: 200 });
    await expectOver(waiting.reject);
    expect(await approvalOf(approvalId)).toMatchObject({ state: "rejected" });
  });

  test("edited, it waits on, or says what to do and can still be rejected", async () => {
    const { approval: approvalId, hash } = waiting.edit;
    const edits = [{ item_id: "GEARBOX-A1", tier: "new", price: 2_300 }];
    const answer = await decide(gateway, { approvalId, hash }, "edit", approver, { edits });
    if (runs === "refused") expect(answer).toMatchObject({ status: 410 });
    else expect(answer).toMatchObject({ status: 200 });
    if (runs === "refused")
      expect(answer.json()).toMatchObject({
        code: "edition_gone",
        error: expect.stringContaining("Ask again"),
      });
    const now = String((await approvalOf(approvalId)).proposal_hash);
    expect(await decide(gateway, { approvalId, hash: now }, "reject", approver)).toMatchObject({
      status: 200,
    });
    await expectOver(waiting.edit);
  });

  test("withdrawn, it ends its run", async () => {
    const { approval } = waiting.withdraw;
    const answer = await post(gateway, `/api/v1/approvals/${approval}/withdraw`, {}, requester);
    expect(answer).toMatchObject({ status: 200 });
    await expectOver(waiting.withdraw);
    expect(await approvalOf(approval)).toMatchObject({ state: "withdrawn" });
  });

  test("expired, it ends its run", async () => {
    const { approval } = waiting.expire;
    const keys = keysOf("default");
    await store.redis.hset(keys.approval(approval), "expires", "1");
    await store.redis.zadd(keys.pending, 1, approval);
    // Its log is followed once it goes on: before, the pause is where it rests.
    await until(async () => (await stateOf(waiting.expire.run)).state !== "paused");
    await expectOver(waiting.expire);
    expect(await approvalOf(approval)).toMatchObject({ state: "expired" });
  });

  test("a plan whose gateway was killed comes to one end, and does nothing twice", async () => {
    await expectOver(plan);
    for (const task of ["PRICE_OPTIMIZATION", "PRICE_EXPLANATION"]) {
      const calls = callsOf(agent, task).filter(({ body }) => body.workflow_id === plan.run);
      expect(calls).toHaveLength(runs === "carried-on" && task === "PRICE_EXPLANATION" ? 1 : 0);
    }
  });

  test("an ask whose gateway was killed says that it was interrupted", async () => {
    const events = await toRest(gateway, ask.run, requester);
    expect(events.at(-1)).toMatchObject({
      type: "run_failed",
      data: { code: "interrupted", retryable: true },
    });
    expect(callsOf(agent, "PRICE_EXPLANATION").filter(({ body }) => body.workflow_id === ask.run)).toEqual(
      [],
    );
    expect(await say(ask.session, "Explain what drives the proposed prices")).toMatchObject({ status: 200 });
  });

  test("a session goes on from its question, with its constraints", async () => {
    const { turns } = (await get(gateway, `/api/v1/sessions/${session.id}`, requester)).json();
    expect(turns).toMatchObject([
      { role: "user", text: session.constraints },
      { role: "assistant" },
      { role: "user" },
      { role: "assistant", text: session.question },
    ]);
    const answer = await say(session.id, "20 %");
    expect(answer).toMatchObject({ status: 200 });
    expect(constraintsGiven()).toMatchObject([
      { slot: "region", value: "EMEA" },
      { slot: "max_change_pct", value: 0.05 },
      { slot: "min_margin", value: 0.2 },
    ]);
    expect(answer.json().message).toMatch(/^For EMEA, at most 5 % change, margin at least 20 %/);
  });

  test("and without the constraints that the manifest does not declare any more, which the answer names", async () => {
    const manifest = shippedMesh(agent.url);
    const { region: _, ...slots } = Object(manifest.flows?.pricing?.slots);
    Object.assign(manifest.flows?.pricing ?? {}, { slots });
    gateway.write(manifest);
    expect(await post(gateway, "/api/v1/admin/reload", undefined, as("root", "admin"))).toMatchObject({
      status: 200,
    });
    const answer = await say(session.id, "Propose prices");
    expect(answer).toMatchObject({ status: 200 });
    expect(constraintsGiven()).toMatchObject([{ slot: "max_change_pct" }, { slot: "min_margin" }]);
    expect(answer.json().message).toMatch(
      /^At most 5 % change, margin at least 20 % .*Not applied: “?region/,
    );
  });

  test("what was published is in its book", async () => {
    const { run, entry } = published;
    const found = (await bookOf()).filter(({ run_id }) => run_id === run);
    expect(found).toEqual([{ ...entry, payload: expect.anything() }]);
    const { approval } = entry as { approval: { proposal_hash: string } };
    expect(proposalHash(run, "publish", found[0]?.payload)).toBe(approval.proposal_hash);
    expect((await toRest(gateway, run, requester)).at(-1)).toMatchObject({ type: "run_finished" });
    expect(await stateOf(run)).toMatchObject({ state: "finished" });
  });

  test("its log tells nothing of what was said", () => {
    const logs = gateway.logs();
    expect(logs).not.toBe("");
    expect(CONTENTS.filter((text) => logs.includes(text))).toEqual([]);
  });
});

/** A Redis with a recorded store. */
async function storeOf(name: string) {
  const dir = mkdtempSync(join(tmpdir(), "interlock-upgrade-"));
  writeFileSync(join(dir, "recorded.rdb"), gunzipSync(readFileSync(join(DATA, `${name}.rdb.gz`))));
  const redis = await startRedis(["--appendonly", "no", "--dir", dir, "--dbfilename", "recorded.rdb"]);
  return {
    url: redis.url,
    async stop() {
      await redis.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
