import { createHash, randomUUID } from "node:crypto";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { canonicalJson, sha256 } from "../src/canonical-json.ts";
import { closed } from "./support/closed.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ANN, as, decide, get, KIM, LEE, pausedRun, post, toRest } from "./support/people.ts";
import { CURRENT, PROPOSED, PUBLISHING, publishingMesh, StoreView } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { callsOf, type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
let agent: StandIn;
let store: StoreView;
let one: TestGateway;
let two: TestGateway;

beforeAll(async () => {
  const redis = keep(await testRedis());
  agent = keep(await standIn(PUBLISHING));
  store = keep(new StoreView(redis.url));
  const options = { manifest: publishingMesh(agent.url), redisUrl: redis.url };
  one = keep(await testGateway(options));
  two = keep(await testGateway(options));
});

const paused = (headers = ANN) => pausedRun(one, { flow: "publishing", inputs: { items: CURRENT } }, headers);
const view = (id: string, headers = LEE) => get(two, `/api/v1/approvals/${id}`, headers);

describe("a step that needs approval", () => {
  test("ends the stream with the approval, and nothing is published", async () => {
    const stream = await EventReader.open(`${one.url}/api/v1/chat?stream=true`, {
      headers: ANN,
      body: { message: "publish the prices", session_id: randomUUID(), inputs: { items: CURRENT } },
    });
    expect(await stream.over).toBe("ended");
    const last = stream.data.at(-1);
    expect(stream.data.filter((data) => data.done)).toEqual([last]);
    expect(last).toMatchObject({
      status: "paused",
      done: true,
      thread_id: stream.headers["x-run-id"],
      approval: { roles: ["pricing-lead"], expires_in_s: 3_600 },
    });
    for (const data of stream.data) expect(gatewayContract.chatEvent(data)).toMatchObject({ ok: true });
    expect(await store.published(String(last?.thread_id))).toEqual([]);
  });

  test("answers a request without a stream the same", async () => {
    const body = { message: "publish the prices", session_id: randomUUID() };
    const answer = await post(one, "/api/v1/chat", body, ANN);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.json()).toMatchObject({ status: "paused", done: true });
    expect(gatewayContract.chatAnswer(answer.json())).toMatchObject({ ok: true });
  });

  test("shows the proposal beside what is, on any replica", async () => {
    const { runId, approvalId, hash } = await paused();
    const answer = await view(approvalId);
    expect(gatewayContract.approvalView(answer.json())).toMatchObject({ ok: true });
    expect(answer.json()).toMatchObject({
      run_id: runId,
      state: "pending",
      requested_by: "ann",
      allowed_roles: ["pricing-lead"],
      proposal: PROPOSED,
      shown: { before: CURRENT, robustness: { summary: "Robust." } },
      winner: null,
    });
    // The hash is of exactly what is to be approved.
    expect(hash).toBe(sha256(canonicalJson({ run: runId, step: "publish", proposal: PROPOSED })));
    expect((await get(two, `/api/v1/runs/${runId}`, ANN)).json()).toMatchObject({
      state: "paused",
      approval_id: approvalId,
    });
  });
});

describe("a decision", () => {
  test("to approve publishes what was approved, once, and the events go on after the pause", async () => {
    const run = await paused();
    const answer = await decide(two, run, "approve", LEE, { note: "fine" });
    expect(answer).toMatchObject({ status: 200 });
    expect(gatewayContract.decisionAnswer(answer.json())).toMatchObject({ ok: true });
    expect(answer.json()).toMatchObject({ decision: "approved", by: "lee", proposal_hash: run.hash });
    const events = await toRest(one, run.runId, ANN, run.seq);
    expect(events.map(({ type, node }) => [type, node])).toEqual([
      ["approval_decided", "publish"],
      ["step_started", "publish"],
      ["step_finished", "publish"],
      ["run_finished", undefined],
    ]);
    expect(events[0]?.seq).toBe(run.seq + 1);
    for (const event of events) expect(gatewayContract.runEvent(event)).toMatchObject({ ok: true });
    expect(events.at(-1)?.data).toMatchObject({ status: "ok", message: "Published: true." });
    expect(await store.published(run.runId)).toEqual([
      {
        effect: `${run.runId}:publish`,
        payload: {
          run_id: run.runId,
          step: "publish",
          approval_id: run.approvalId,
          approved_by: "lee",
          requested_by: "ann",
          sample: false,
          payload: { prices: PROPOSED },
        },
      },
    ]);
  });

  test("to reject ends the run as rejected, without the effect", async () => {
    const run = await paused();
    expect((await decide(one, run, "reject", LEE, { note: "too high" })).status).toBe(200);
    const events = await toRest(two, run.runId, ANN, run.seq);
    expect(events.at(-1)).toMatchObject({ type: "run_finished", data: { status: "rejected" } });
    expect(await store.published(run.runId)).toEqual([]);
    const after = (await view(run.approvalId)).json();
    expect(after).toMatchObject({ state: "rejected", winner: { by: "lee", note: "too high" } });
    expect(gatewayContract.approvalView(after)).toMatchObject({ ok: true });
    const chat = await EventReader.open(`${one.url}/api/v1/runs/${run.runId}/events?dialect=chat`, {
      headers: ANN,
    });
    await chat.toEnd();
    expect(chat.data.at(-1)).toMatchObject({ done: true, status: "rejected" });
    // Read again, the pause is an event like others: the stream goes on behind it.
    expect(chat.data.filter((data) => data.done)).toHaveLength(1);
  });

  test("about another proposal than the current one: 409 with the current hash", async () => {
    const run = await paused();
    for (const decision of ["approve", "reject"] as const) {
      const answer = await decide(one, { ...run, hash: "0".repeat(64) }, decision, LEE);
      expect(answer).toMatchObject({ status: 409 });
      expect(answer.json()).toMatchObject({ code: "conflict", proposal_hash: run.hash });
    }
    expect((await view(run.approvalId)).json()).toMatchObject({ state: "pending" });
  });

  test("after another one: 409 with the winner", async () => {
    const run = await paused();
    await decide(one, run, "reject", LEE);
    const late = await decide(two, run, "approve", KIM);
    expect(late).toMatchObject({ status: 409 });
    expect(late.json()).toMatchObject({ code: "conflict", winner: { decision: "rejected", by: "lee" } });
    await toRest(one, run.runId, ANN, run.seq);
    expect(await store.published(run.runId)).toEqual([]);
  });

  test("with its key, again and on any replica: the same answer", async () => {
    const run = await paused();
    const headers = { ...LEE, "idempotency-key": randomUUID() };
    const first = await decide(one, run, "approve", headers);
    await toRest(one, run.runId, ANN, run.seq);
    const again = await decide(two, run, "approve", headers);
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    const other = await decide(one, run, "reject", headers);
    expect([other.status, other.json().code]).toEqual([422, "idempotency_mismatch"]);
    // Another's key of the same name is another key.
    const kim = await decide(one, run, "approve", { ...headers, ...KIM });
    expect(kim).toMatchObject({ status: 409 });
    expect(await store.published(run.runId)).toHaveLength(1);
  });

  test("by whoever asked for the run: refused where the flow wants four eyes", async () => {
    const run = await paused(LEE);
    expect((await decide(one, run, "approve", LEE)).json()).toMatchObject({ code: "forbidden" });
    expect((await decide(one, run, "approve", LEE)).status).toBe(403);
    expect((await decide(one, run, "approve", KIM)).status).toBe(200);
  });
});

describe("several decisions in one request", () => {
  const decideMany = (decisions: object[], headers = LEE, more: Record<string, string> = {}) =>
    post(one, "/api/v1/approvals/decisions", { decisions }, { ...headers, ...more });
  type Outcomes = { outcomes: { status: number; refused?: object; decided?: object }[] };

  test("have each its own outcome; with their key, again: the same", async () => {
    const [first, second, own] = [await paused(), await paused(), await paused(LEE)];
    await decide(two, second, "reject", KIM);
    const of = ({ approvalId, hash }: typeof first, decision = "approve") => ({
      ...{ approval_id: approvalId, decision, proposal_hash: hash },
    });
    const stale = { ...of(own, "reject"), proposal_hash: "0".repeat(64) };
    const key = { "idempotency-key": randomUUID() };
    const many = [of(first), of(second), stale, { ...of(own), approval_id: randomUUID() }];
    const answer = await decideMany(many, LEE, key);
    expect([answer.status, closed("batchDecisionAnswer")(answer.json())]).toMatchObject([200, { ok: true }]);
    const { outcomes } = answer.json() as Outcomes;
    expect(outcomes).toMatchObject([
      { approval_id: first.approvalId, status: 200, decided: { decision: "approved", by: "lee" } },
      { status: 409, refused: { code: "conflict", winner: { decision: "rejected", by: "kim" } } },
      { status: 409, refused: { code: "conflict", proposal_hash: own.hash } },
      { status: 404, refused: { code: "not_found" } },
    ]);
    await toRest(one, first.runId, ANN, first.seq);
    expect(await store.published(first.runId)).toHaveLength(1);
    const again = (await decideMany(many, LEE, key)).json() as Outcomes;
    expect(again.outcomes[0]).toEqual(outcomes[0]);
    expect(await store.published(first.runId)).toHaveLength(1);
    // Her own request is not hers to approve.
    const mine = (await decideMany([of(own)])).json() as Outcomes;
    expect(mine.outcomes).toMatchObject([{ status: 403, refused: { code: "forbidden" } }]);
    const foreign = await decideMany([of(own)], as("eve", "pricing-lead", "other"));
    expect((foreign.json() as Outcomes).outcomes).toMatchObject([{ status: 404 }]);
    const log = (await get(two, `/api/v1/approvals/${own.approvalId}/audit`, LEE)).json();
    expect(JSON.stringify(log)).not.toContain("approved");
  });

  test("name each approval once", async () => {
    const { approvalId, hash } = await paused();
    const twice = { approval_id: approvalId, decision: "approve", proposal_hash: hash };
    expect(await decideMany([twice, { ...twice, decision: "reject" }])).toMatchObject({ status: 400 });
  });
});

describe("the short form", () => {
  test("approves what the run waits for", async () => {
    const run = await paused();
    const answer = await post(two, "/api/v1/chat/approve", { thread_id: run.runId, note: "go" }, LEE);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.json()).toMatchObject({ decision: "approved", approval_id: run.approvalId });
    expect((await toRest(one, run.runId, ANN, run.seq)).at(-1)).toMatchObject({ data: { status: "ok" } });
  });

  test("of a run that waits for nothing: 409 to whoever may see it; of one that is not there: 404; by its asker: 403", async () => {
    const asked = await post(one, "/api/v1/chat", { message: "check", session_id: randomUUID() }, ANN);
    const body = { thread_id: asked.json().thread_id };
    expect((await post(one, "/api/v1/chat/approve", body, ANN)).status).toBe(409);
    expect((await post(one, "/api/v1/chat/approve", body, LEE)).status).toBe(404);
    expect((await post(one, "/api/v1/chat/approve", { thread_id: "nobody" }, LEE)).status).toBe(404);
    const run = await paused();
    expect((await post(one, "/api/v1/chat/approve", { thread_id: run.runId }, ANN)).status).toBe(403);
  });
});

describe("an edit", () => {
  const edits = [{ item_id: "A100", price: 11 }];
  /** The entry that is edited has the new price; the other stays. */
  const edited = [{ item_id: "A100", price: 11 }, PROPOSED[1]];

  test("is checked by the policy, changes the hash, and is what is published", async () => {
    const run = await paused();
    const answer = await decide(one, run, "edit", LEE, { edits, note: "lower" });
    expect(answer).toMatchObject({ status: 200 });
    expect(gatewayContract.decisionAnswer(answer.json())).toMatchObject({ ok: true });
    const check = callsOf(agent, "POLICY_CHECK").find(({ body }) => body.workflow_id === run.runId);
    expect(check?.body).toMatchObject({ inputs: { proposed: edited } });
    const hash = String(answer.json().proposal_hash);
    expect(hash).not.toBe(run.hash);
    expect((await view(run.approvalId)).json()).toMatchObject({
      state: "pending",
      proposal: edited,
      proposal_hash: hash,
      editors: ["lee"],
    });
    // The old proposal cannot be approved any more, and the new one not by its editor.
    expect((await decide(two, run, "approve", KIM)).json()).toMatchObject({ proposal_hash: hash });
    expect((await decide(two, { ...run, hash }, "approve", LEE)).status).toBe(403);
    expect((await decide(two, { ...run, hash }, "approve", KIM)).status).toBe(200);
    await toRest(one, run.runId, ANN, run.seq);
    expect(await store.published(run.runId)).toMatchObject([{ payload: { payload: { prices: edited } } }]);
  });

  test("that the policy does not pass is refused, and nothing changes", async () => {
    const run = await paused();
    const answer = await decide(one, run, "edit", LEE, { edits: [{ item_id: "A100", price: 99 }] });
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.json()).toMatchObject({ code: "invalid_request", check: { passed: false } });
    expect((await view(run.approvalId)).json()).toMatchObject({
      proposal: PROPOSED,
      proposal_hash: run.hash,
    });
  });

  test.each([
    ["that does not have the shape that the flow takes", {}, "wrong shape: the value must be an array"],
    ["that lacks a field", [{ item_id: "A100" }], "wrong shape: /0/price is required"],
    ["that the check cannot work with", [{ item_id: "A100", price: "dear" }], "No price is a text"],
    ["of an entry that is not there", [{ item_id: "dear", price: 11 }], "cannot be applied"],
    ["that has a field that the flow does not know", [{ ...edits[0], note: "dear" }], "cannot be applied"],
    ["that changes nothing", PROPOSED, "change nothing"],
    ["that is empty", [], "change nothing"],
  ])("%s is refused, and its author may still approve", async (_, given, why) => {
    const run = await paused();
    const answer = await decide(one, run, "edit", LEE, { edits: given });
    expect([answer.status, answer.json().code]).toEqual([400, "invalid_request"]);
    expect(answer.json().error).toContain(why);
    expect(answer.text).not.toContain("dear");
    expect((await view(run.approvalId)).json()).toMatchObject({ proposal_hash: run.hash, editors: [] });
    expect((await decide(two, run, "approve", LEE)).status).toBe(200);
  });

  test("with its key, again: the same answer, and the policy is not asked again", async () => {
    const run = await paused();
    const headers = { ...LEE, "idempotency-key": randomUUID() };
    const more = { edits };
    const first = await decide(one, run, "edit", headers, more);
    const calls = callsOf(agent, "POLICY_CHECK").length;
    const again = await decide(two, run, "edit", headers, more);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(callsOf(agent, "POLICY_CHECK")).toHaveLength(calls);
    const { entries } = (await get(one, `/api/v1/approvals/${run.approvalId}/audit`, LEE)).json();
    expect(entries).toMatchObject([{ action: "requested" }, { action: "edited" }]);
  });
});

describe("approvals are seen by those who may decide them", () => {
  test("another tenant and an unknown id answer the same 404", async () => {
    const run = await paused();
    const strip = (text: string) => text.replace(/"request_id":"[^"]*"/, "");
    const answers = await Promise.all([
      view(run.approvalId, as("lee", "pricing-lead", "other")),
      view("unknown"),
      view("not an id"),
      get(one, `/api/v1/approvals/${run.approvalId}/audit`, as("lee", "pricing-lead", "other")),
      decide(one, run, "approve", as("lee", "pricing-lead", "other")),
      decide(one, { ...run, approvalId: "unknown" }, "approve", LEE),
    ]);
    for (const answer of answers) expect(answer.status).toBe(404);
    expect(new Set(answers.map(({ text }) => strip(text))).size).toBe(1);
    expect((await view(run.approvalId)).json()).toMatchObject({ state: "pending" });
  });

  test("whoever asked for it learns who decides it: 403 with the roles", async () => {
    const run = await paused();
    const answers = [
      await view(run.approvalId, ANN),
      await get(one, `/api/v1/approvals/${run.approvalId}/audit`, ANN),
      await decide(one, run, "approve", ANN),
      await post(one, "/api/v1/chat/approve", { thread_id: run.runId }, ANN),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(403);
      expect(answer.json()).toMatchObject({ code: "forbidden", allowed_roles: ["pricing-lead"] });
    }
    expect((await view(run.approvalId)).json()).toMatchObject({ state: "pending" });
  });

  test("a role that sees no approvals is told so, whatever it names: 404", async () => {
    const run = await paused();
    const bea = as("bea");
    const strip = (text: string) => text.replace(/"request_id":"[^"]*"/, "");
    const asked = await post(one, "/api/v1/chat", { message: "check", session_id: randomUUID() }, ANN);
    const approve = (id: unknown) => post(one, "/api/v1/chat/approve", { thread_id: id }, bea);
    const answers = [
      await view(run.approvalId, bea),
      await view("unknown", bea),
      await decide(one, run, "approve", bea),
      await decide(one, { ...run, approvalId: "unknown" }, "approve", bea),
      await approve(run.runId),
      await approve(asked.json().thread_id),
      await approve("unknown"),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.json()).toMatchObject({
        error: "There is nothing here that you may see. None of your roles may see or decide approvals.",
        your_roles: ["analyst"],
      });
    }
    expect(new Set(answers.map(({ text }) => strip(text))).size).toBe(1);
  });

  test("the list says why it is empty for a role that sees none, and who may decide", async () => {
    const run = await paused();
    const none = await get(one, "/api/v1/approvals", as("bea"));
    expect(none.json()).toEqual({
      approvals: [],
      can_decide: false,
      note: "None of your roles may see or decide approvals.",
      your_roles: ["analyst"],
    });
    const nobody = await get(one, "/api/v1/approvals", as("lee", "pricing-lead", randomUUID()));
    expect(nobody.json()).toEqual({ approvals: [], can_decide: true });
    const operator = (await get(one, "/api/v1/approvals?limit=200", as("ola", "operator"))).json();
    expect(operator).toMatchObject({ can_decide: false });
    expect(operator.approvals).toContainEqual(
      expect.objectContaining({ id: run.approvalId, may_approve: false, deciding_roles: ["pricing-lead"] }),
    );
  });

  test("an approval says to its reader what a decision needs, and whether he may approve", async () => {
    const { approvalId, runId } = await paused(LEE);
    const self = `/api/v1/approvals/${approvalId}`;
    expect((await view(approvalId, KIM)).json()).toMatchObject({
      may_approve: true,
      deciding_roles: ["pricing-lead"],
      links: { self, decision: `${self}/decision`, audit: `${self}/audit`, run: `/api/v1/runs/${runId}` },
    });
    // Four eyes: he asked for it himself.
    expect((await view(approvalId, LEE)).json()).toMatchObject({ may_approve: false });
  });

  test("the list holds those of the caller's roles, a page at a time, soonest expiry first", async () => {
    const tenant = randomUUID();
    const requester = as("ann", "", tenant);
    const made: string[] = [];
    for (let n = 0; n < 5; n++)
      made.push((await pausedRun(one, { flow: "publishing" }, requester)).approvalId);
    const list = async (headers: Record<string, string>, query: string) => {
      const answer = await get(two, `/api/v1/approvals?${query}`, headers);
      expect(gatewayContract.approvalList(answer.json())).toMatchObject({ ok: true });
      return answer.json() as { approvals: { id: string }[]; next?: string };
    };
    const lead = as("lee", "pricing-lead", tenant);
    const seen: string[] = [];
    let pages = 0;
    for (let cursor = "", more = true; more; pages++) {
      const page = await list(lead, `state=pending&limit=2&cursor=${cursor}`);
      seen.push(...page.approvals.map(({ id }) => id));
      cursor = page.next ?? "";
      more = page.next !== undefined;
    }
    expect([pages, seen]).toEqual([3, made]);
    expect((await list(as("eve", "intern", tenant), "state=pending")).approvals).toEqual([]);
    expect((await list(lead, "state=all")).approvals.map(({ id }) => id)).toEqual(made.toReversed());
    await post(
      one,
      `/api/v1/approvals/${made[0]}/decision`,
      { decision: "reject", proposal_hash: "0".repeat(64) },
      lead,
    );
    expect((await list(lead, "")).approvals).toHaveLength(5);
  });
});

test("the decision log is a chain: every link binds its entry to all before it", async () => {
  const tenant = randomUUID();
  const [ann, lee, kim] = [
    as("ann", "", tenant),
    as("lee", "pricing-lead", tenant),
    as("kim", "pricing-lead", tenant),
  ];
  const first = await pausedRun(one, { flow: "publishing" }, ann);
  const second = await pausedRun(one, { flow: "publishing" }, ann);
  const edits = [{ item_id: "A100", price: 11 }];
  const edit = await decide(one, first, "edit", lee, { edits, note: "lower" });
  await decide(two, { ...first, hash: String(edit.json().proposal_hash) }, "approve", kim, { note: "fine" });
  await post(two, `/api/v1/runs/${second.runId}/cancel`, {}, ann);
  await toRest(one, first.runId, ann, first.seq);

  const actions = async (id: string) => {
    const answer = await get(one, `/api/v1/approvals/${id}/audit`, lee);
    expect(gatewayContract.auditList(answer.json())).toMatchObject({ ok: true });
    const { entries } = answer.json() as { entries: Record<string, string>[] };
    return entries;
  };
  const [ofFirst, ofSecond] = [await actions(first.approvalId), await actions(second.approvalId)];
  expect(ofFirst.map(({ action, by, note }) => [action, by, note])).toEqual([
    ["requested", "ann", undefined],
    ["edited", "lee", "lower"],
    ["approved", "kim", "fine"],
  ]);
  expect(ofFirst.map((entry) => entry.proposal_hash)).toEqual([
    first.hash,
    edit.json().proposal_hash,
    edit.json().proposal_hash,
  ]);
  expect(ofSecond.map(({ action, by }) => [action, by])).toEqual([
    ["requested", "ann"],
    ["cancelled", "ann"],
  ]);

  // The whole chain, from what the two lists say: in the order of their places in the one log.
  const all = [...ofFirst, ...ofSecond].toSorted((a, b) => placeOf(a) - placeOf(b));
  let link = "";
  for (const { id: _, digest, link: claimed, ...entry } of all) {
    expect(sha256(canonicalJson(entry))).toBe(digest);
    link = sha1(link + digest);
    expect(claimed).toBe(link);
  }
});

/** Entry ids are `<milliseconds>-<number>`. */
function placeOf({ id = "" }: Record<string, string>): number {
  const [ms, number] = id.split("-").map(Number);
  return (ms ?? 0) * 1000 + (number ?? 0);
}

function sha1(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}
