import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type GatewayProcess, gatewayProcess, testGateway } from "./support/gateway.ts";
import { type Answer, ask } from "./support/http.ts";
import { COMPOSITE_ASK, GOOD_OUTPUTS } from "./support/mesh.ts";
import { ANN, decide, get, LEE, pausedRun, post, startRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { type RedisServer, testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import {
  answering,
  type Call,
  callsOf,
  finish,
  gone,
  holding,
  type StandIn,
  standIn,
} from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
const check = holding();
let redis: Pick<RedisServer, "url">;
let agent: StandIn;
let explain: (call: Call) => unknown = answering(GOOD_OUTPUTS.PRICE_EXPLANATION);

beforeAll(async () => {
  redis = keep(await testRedis());
  agent = keep(
    await standIn({ ...PUBLISHING, POLICY_CHECK: check.handler, PRICE_EXPLANATION: (call) => explain(call) }),
  );
});

const options = (graceMs = 10_000, delayMs = 0) => ({
  manifest: publishingMesh(agent.url),
  redisUrl: redis.url,
  env: { SHUTDOWN_GRACE_MS: String(graceMs), DRAIN_DELAY_MS: String(delayMs) },
});
const replica = async (graceMs?: number): Promise<GatewayProcess> =>
  use(await gatewayProcess(options(graceMs)));
/** One that nothing happens to. */
const survivor = async () => use(await testGateway(options(100)));

const COME_BACK = /^retry: \d+\n: this replica stops, come back\n\n$/;

const stop = (gateway: GatewayProcess) => gateway.child.kill("SIGTERM");
const stopped = async (gateway: GatewayProcess) =>
  expect(await gateway.exited).toEqual({ code: 0, signal: null });
const unready = (gateway: GatewayProcess) =>
  until(async () => (await get(gateway, "/readyz")).status === 503);

test("a replica that stops lets its steps end, begins none, and hands the run over: another finishes it", async () => {
  const next = holding();
  explain = next.handler;
  const one = await replica();
  const stream = await EventReader.open(`${one.url}/api/v1/chat?stream=true`, {
    headers: ANN,
    body: { message: COMPOSITE_ASK, session_id: randomUUID() },
  });
  const run = String(stream.headers["x-run-id"]);
  const call = await check.next();
  const other = await survivor();
  const following = await EventReader.open(`${one.url}/api/v1/runs/${run}/events`, { headers: ANN });
  stop(one);
  await unready(one);
  const refused = await post(one, "/api/v1/runs", { flow: "pricing", session_id: randomUUID() }, ANN);
  expect([refused.status, refused.json().code, refused.headers["retry-after"]]).toEqual([
    503,
    "draining",
    "1",
  ]);
  // What only looks is still served.
  expect((await get(one, `/api/v1/runs/${run}`, ANN)).json()).toMatchObject({ state: "running" });
  finish(call, GOOD_OUTPUTS.POLICY_CHECK);
  expect([await stream.over, await following.over]).toEqual(["ended", "ended"]);
  for (const { hints } of [stream, following]) expect(hints).toEqual([expect.stringMatching(COME_BACK)]);
  expect(stream.data.every(({ done }) => done === false)).toBe(true);
  await stopped(one);

  finish(await next.next(), GOOD_OUTPUTS.PRICE_EXPLANATION);
  const events = await toRest(other, run);
  expect(events.at(-1)).toMatchObject({ type: "run_finished", data: { status: "ok" } });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const asked = (task: string) => callsOf(agent, task).filter(({ body }) => body.workflow_id === run);
  for (const task of ["PRICE_OPTIMIZATION", "POLICY_CHECK", "PRICE_EXPLANATION"])
    expect([task, asked(task).length]).toEqual([task, 1]);
  // Handing over is no failed attempt.
  expect((await get(other, `/api/v1/runs/${run}`, ANN)).json()).toMatchObject({ attempts: 1 });
});

test("a step that takes longer than the grace time is aborted, and asked for again elsewhere with its key", async () => {
  const one = await replica(100);
  const run = await startRun(one, { flow: "pricing", goals: ["policy"] });
  const call = await check.next();
  const other = await survivor();
  stop(one);
  await gone(call);
  const again = await check.next();
  expect(again.headers["idempotency-key"]).toBe(call.headers["idempotency-key"]);
  finish(again, GOOD_OUTPUTS.POLICY_CHECK);
  await stopped(one);
  expect((await toRest(other, run)).at(-1)).toMatchObject({ type: "run_finished" });
});

test("a decision that a stopping replica takes is carried out by another", async () => {
  const one = await replica();
  const run = await pausedRun(one, { flow: "publishing" });
  // Something keeps it from stopping at once.
  const session_id = randomUUID();
  const asking = post(one, "/api/v1/chat", { message: "check", session_id }, ANN);
  const call = await check.next();
  stop(one);
  await unready(one);
  expect((await decide(one, run, "approve", LEE)).status).toBe(200);
  const other = await survivor();
  expect((await toRest(other, run.runId, ANN, run.seq)).at(-1)).toMatchObject({ data: { status: "ok" } });
  finish(call, GOOD_OUTPUTS.POLICY_CHECK);
  expect((await asking).status).toBe(200);
  await stopped(one);
});

test("all replicas are replaced under load: no request fails, and streams go on within 3 s", async () => {
  explain = (call) => setTimeout(() => answering(GOOD_OUTPUTS.PRICE_EXPLANATION)(call), 30);
  let serving: GatewayProcess[] = [await replica(), await replica()];
  let loading = true;
  let answered = 0;

  /** As a balancer does it: a replica that takes no work, or is gone before it answered, is passed over. */
  const balanced = async (
    n: number,
    request: (where: GatewayProcess) => Promise<Answer>,
  ): Promise<Answer> => {
    for (let attempt = n; ; attempt++) {
      const where = serving[attempt % serving.length];
      const answer = where && (await request(where).catch(() => undefined));
      if (answer && !(answer.status === 503 && answer.json().code === "draining")) return answer;
      await until(() => true);
    }
  };
  const client = async (n: number): Promise<void> => {
    while (loading) {
      const body = { message: "explain", session_id: randomUUID() };
      const headers = { ...ANN, "idempotency-key": randomUUID() };
      const answer = await balanced(n, (where) => ask(`${where.url}/api/v1/chat`, { body, headers }));
      expect([answer.status, answer.text]).toMatchObject([200, expect.stringContaining('"done":true')]);
      answered++;
    }
  };
  const clients = [0, 1, 2, 3].map(client);

  const [first, second] = serving;
  if (!first || !second) throw new Error("no replicas");
  const stream = await EventReader.open(`${first.url}/api/v1/chat?stream=true&plan=true`, {
    headers: ANN,
    body: { message: "check", session_id: randomUUID() },
  });
  const held = await check.next();
  for (const old of [first, second]) {
    const before = answered;
    const fresh = await replica();
    serving = [...serving.filter((one) => one !== old), fresh];
    stop(old);
    if (old === first) finish(held, GOOD_OUTPUTS.POLICY_CHECK);
    await stopped(old);
    await until(() => answered > before + 5);
  }
  loading = false;
  await Promise.all(clients);
  expect(await stream.over).toBe("ended");
  const [where] = serving;
  if (!where) throw new Error("no replica");
  const run = String(stream.headers["x-run-id"]);
  expect((await toRest(where, run)).at(-1)).toMatchObject({ type: "run_finished" });
});

test("until balancers have noticed, everything is served: only /readyz says no", async () => {
  const one = use(await gatewayProcess(options(10_000, 5_000)));
  stop(one);
  await unready(one);
  const served = await post(one, "/api/v1/chat", { message: "hello", session_id: randomUUID() }, ANN);
  expect(served.status).toBe(200);
  await stopped(one);
});
