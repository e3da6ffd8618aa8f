import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { keysOf } from "../src/store/keys.ts";
import { closing, closingAtEnd } from "./support/closing.ts";
import { gatewayProcess, testGateway } from "./support/gateway.ts";
import { COMPOSITE_ASK, GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { ANN, get, type LogEvent, post, toRest } from "./support/people.ts";
import { StoreView } from "./support/publishing.ts";
import { type RedisServer, testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { answering, callsOf, finish, gone, holding, type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
const use = closing();
const { handler: check, next: nextCheck } = holding();
const { handler: explain, next: nextExplain } = holding();
let redis: Pick<RedisServer, "url">;
let agent: StandIn;

beforeAll(async () => {
  redis = keep(await testRedis());
  agent = keep(
    await standIn({
      PRICE_OPTIMIZATION: answering(GOOD_OUTPUTS.PRICE_OPTIMIZATION),
      POLICY_CHECK: check,
      PRICE_EXPLANATION: explain,
    }),
  );
});

/** Leases are short, so that one that ran out is noticed soon. */
const HASTY: Record<string, string> = { LEASE_MS: "1000" };

const options = (env: Record<string, string>) => ({
  manifest: pricingMesh(agent.url),
  redisUrl: redis.url,
  env,
});
/** A replica that a test may kill, and one that nothing happens to. */
const replica = async (env = HASTY) => use(await gatewayProcess(options(env)));
const survivor = async (env = HASTY) => use(await testGateway(options(env)));

const chat = (where: { url: string }, message: string) =>
  EventReader.open(`${where.url}/api/v1/chat?stream=true`, {
    headers: ANN,
    body: { message, session_id: randomUUID() },
  });

const runOf = (stream: EventReader) => String(stream.headers["x-run-id"]);
const calls = (task: string, run: string) =>
  callsOf(agent, task).filter(({ body }) => body.workflow_id === run);
const ends = (events: readonly LogEvent[]) =>
  events.filter(({ type }) => /^run_(finished|failed|cancelled)$/.test(type));

describe("a replica that is killed", () => {
  test("within 15 s another one goes on from the journal: what was done is not done again", async () => {
    const one = await replica({});
    const other = await survivor({});
    const stream = await chat(one, COMPOSITE_ASK);
    const run = runOf(stream);
    await nextCheck();
    await stream.until((frames) => frames.some(({ data }) => data.includes('"node":"check"')));
    const killed = performance.now();
    one.child.kill("SIGKILL");
    expect(await stream.over).toBe("cut");
    finish(await nextCheck(), GOOD_OUTPUTS.POLICY_CHECK);
    expect(performance.now() - killed).toBeLessThan(15_000);
    finish(await nextExplain(), GOOD_OUTPUTS.PRICE_EXPLANATION);

    const events = await toRest(other, run);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(ends(events)).toMatchObject([{ type: "run_finished", data: { status: "ok" } }]);
    expect(calls("PRICE_OPTIMIZATION", run)).toHaveLength(1);
    const checks = calls("POLICY_CHECK", run);
    expect(checks.map(({ headers }) => headers["idempotency-key"])).toEqual([`${run}:check`, `${run}:check`]);
    expect(new Set(checks.map(({ body }) => body.request_id)).size).toBe(2);
    const begun = events.filter(({ type, node }) => type === "step_started" && node === "check");
    const [first = 0, second = 0, ...others] = begun.map(({ data }) => Number(data.attempt));
    expect([first, second > first, others]).toEqual([1, true, []]);

    // What the first reader saw before the kill is what the log holds.
    const replay = await EventReader.open(`${other.url}/api/v1/runs/${run}/events?dialect=chat`, {
      headers: ANN,
    });
    await replay.toEnd();
    expect(replay.text.startsWith(stream.text)).toBe(true);
    expect((await get(other, `/api/v1/runs/${run}`, ANN)).json()).toMatchObject({
      state: "finished",
      attempts: 2,
    });
  });

  test("ends a simple ask, which nobody waits for any more, instead of asking anew", async () => {
    const one = await replica();
    const other = await survivor();
    const stream = await chat(one, "explain this");
    const run = runOf(stream);
    await nextExplain();
    one.child.kill("SIGKILL");
    await stream.over;
    expect((await toRest(other, run)).at(-1)).toMatchObject({
      type: "run_failed",
      data: { code: "interrupted", retryable: true },
    });
    expect(calls("PRICE_EXPLANATION", run)).toHaveLength(1);
  });

  test("leaves no log without a beginning, though nobody watched the ask and it had written nothing yet", async () => {
    const one = await replica();
    const other = await survivor();
    const body = { message: "explain this", session_id: randomUUID() };
    const answer = post(one, "/api/v1/chat", body, ANN).catch(() => undefined);
    const { body: asked } = await nextExplain();
    one.child.kill("SIGKILL");
    await answer;
    const run = String(asked.workflow_id);
    const events = await toRest(other, run);
    expect(events[0]).toMatchObject({ type: "run_started", seq: 1, data: { session_id: body.session_id } });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: "run_failed", data: { code: "interrupted" } });
    const session = (await get(other, `/api/v1/sessions/${body.session_id}`, ANN)).json();
    expect(session.turns).toMatchObject([{ role: "user" }, { role: "assistant", code: "interrupted" }]);
  });
});

test("a replica that is frozen past its lease, and then goes on, cannot write any more", async () => {
  const frozen = await replica();
  const other = await survivor();
  const stream = await chat(frozen, "check the hierarchy, then explain it");
  const run = runOf(stream);
  const late = await nextCheck();
  await stream.until((frames) => frames.some(({ data }) => data.includes('"node":"check"')));
  frozen.child.kill("SIGSTOP");
  finish(await nextCheck(), GOOD_OUTPUTS.POLICY_CHECK);
  finish(await nextExplain(), GOOD_OUTPUTS.PRICE_EXPLANATION);
  const before = await toRest(other, run);
  finish(late, { passed: false, violations: ["from the grave"] });
  frozen.child.kill("SIGCONT");
  // Its own client sees the run as it went, from the store.
  expect(await stream.over).toBe("ended");
  expect(stream.data.at(-1)).toMatchObject({ done: true, message: "Passed: true\n\nCost drives it." });
  expect(await toRest(frozen, run)).toEqual(before);
  expect(ends(before)).toHaveLength(1);
  expect(JSON.stringify(before)).not.toContain("grave");
});

test("a holder whose run is another's by now tells the agent of the step under way to stop", async () => {
  const holder = await survivor();
  const store = use(new StoreView(redis.url));
  const stream = await chat(holder, "check the hierarchy");
  const plan = await chat(holder, COMPOSITE_ASK);
  const [ask, check] = [await nextCheck(), await nextCheck()];
  for (const run of [stream, plan].map(runOf))
    await store.redis.hincrby(keysOf("default").run(run), "fence", 1);
  await Promise.all([gone(ask), gone(check)]);
  // Whoever it is does not renew the lease: the run comes back.
  finish(await nextCheck(), GOOD_OUTPUTS.POLICY_CHECK);
  finish(await nextExplain(), GOOD_OUTPUTS.PRICE_EXPLANATION);
  expect(await plan.over).toBe("ended");
  expect(plan.data.at(-1)).toMatchObject({ done: true, message: "Passed: true\n\nCost drives it." });
  expect(await stream.over).toBe("ended");
  expect(stream.data.at(-1)).toMatchObject({ done: true, code: "interrupted" });
});
