import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { COMPOSITE_ASK, GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { ANN, as, eventsOf, get, post, startRun, toRest } from "./support/people.ts";
import { freePort, monitor, startRedis, testRedis } from "./support/redis.ts";
import { chat, frontMesh, remoteRuns, runOf, transcript } from "./support/remote.ts";
import {
  answering,
  callsOf,
  event,
  failing,
  finish,
  holding,
  type StandIn,
  standIn,
} from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
const { handler: explain, next: nextExplain } = holding();
let agent: StandIn;
let frontRedis: string;
let backRedis: string;
let back: TestGateway;
let front: TestGateway;

beforeAll(async () => {
  frontRedis = keep(await testRedis()).url;
  backRedis = keep(await startRedis()).url;
  agent = keep(
    await standIn({
      PRICE_OPTIMIZATION: answering(GOOD_OUTPUTS.PRICE_OPTIMIZATION),
      POLICY_CHECK: answering(GOOD_OUTPUTS.POLICY_CHECK),
      PRICE_EXPLANATION: explain,
      SENSITIVITY_ANALYSIS: failing("BOOM", "There is no solution."),
    }),
  );
  back = keep(await testGateway({ manifest: pricingMesh(agent.url), redisUrl: backRedis }));
  front = keep(await testGateway({ manifest: frontMesh(back.url), redisUrl: frontRedis }));
});

/** The run at the other gateway, and what its log says, with the ids of the run here. */
async function original(run: string): Promise<string> {
  const session = (await get(front, `/api/v1/runs/${run}`, ANN)).json().session_id;
  const runs = (await get(back, `/api/v1/runs?session_id=${session}`, ANN)).json().runs as {
    run_id: string;
  }[];
  expect(runs).toHaveLength(1);
  const there = runs[0]?.run_id ?? "";
  return (await transcript(back, there)).replaceAll(there, run);
}

describe("a remote service", () => {
  test("leaves the same transcript, byte for byte but for ids: a plan with progress and tokens", async () => {
    const stream = await chat(front, { message: COMPOSITE_ASK });
    const call = await nextExplain();
    call.res.write(event("progress", { text: 'a "quoted" grüße 🙂' }) + event("token", { text: "Cost " }));
    await stream.until((frames) => frames.some((frame) => frame.event === "token"));
    finish(call, GOOD_OUTPUTS.PRICE_EXPLANATION);
    expect(await stream.over).toBe("ended");
    expect(eventsOf(stream).at(-1)).toMatchObject({ type: "run_finished" });
    expect(stream.text).toBe(await original(runOf(stream)));
    expect(await transcript(front, runOf(stream))).toBe(stream.text);
  });

  test("is answered without a stream as the other gateway answers", async () => {
    const body = { message: "propose prices", session_id: randomUUID() };
    const here = await post(front, "/api/v1/chat", body, ANN);
    const there = await post(back, "/api/v1/chat", { ...body, session_id: randomUUID() }, ANN);
    expect(here).toMatchObject({ status: 200 });
    const own = { thread_id: "", session_id: "" };
    expect({ ...here.json(), ...own }).toEqual({ ...there.json(), ...own });
  });

  test("can be asked in the background", async () => {
    const run = await startRun(front, { message: "propose prices" });
    expect((await toRest(front, run)).at(-1)).toMatchObject({ type: "run_finished" });
    expect(await transcript(front, run)).toBe(await original(run));
  });

  test("fails as the run there failed, and the session keeps its answers", async () => {
    const session = randomUUID();
    const answer = await post(front, "/api/v1/chat", { message: "robust?", session_id: session }, ANN);
    expect(answer.json()).toMatchObject({ code: "invalid_inputs", agent_code: "BOOM" });
    expect(answer).toMatchObject({ status: 422 });
    const view = (await get(front, `/api/v1/sessions/${session}`, ANN)).json();
    expect(JSON.stringify(view)).toContain("There is no solution.");
  });

  test("goes on when its client is gone, and its events can be read afterwards", async () => {
    const stream = await chat(front, { message: "explain the drivers" });
    const call = await nextExplain();
    stream.leave();
    finish(call, GOOD_OUTPUTS.PRICE_EXPLANATION);
    const events = await toRest(front, runOf(stream));
    expect(events.at(-1)).toMatchObject({ type: "run_finished" });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  });

  test("that is cancelled here is cancelled there, and its agent is told", async () => {
    const stream = await chat(front, { message: "explain the drivers" });
    const call = await nextExplain();
    const run = runOf(stream);
    expect(await post(front, `/api/v1/runs/${run}/cancel`, undefined, ANN)).toMatchObject({ status: 200 });
    await until(() => call.res.destroyed);
    expect((await toRest(front, run)).at(-1)).toMatchObject({ type: "run_cancelled" });
    expect(await original(run)).toContain("run_cancelled");
  });

  test("that is cancelled there is cancelled here, with the same transcript", async () => {
    const stream = await chat(front, { message: "explain the drivers" });
    await nextExplain();
    const [latest = ""] = await remoteRuns(back);
    expect(await post(back, `/api/v1/runs/${latest}/cancel`, undefined, ANN)).toMatchObject({ status: 200 });
    expect(await stream.over).toBe("ended");
    expect(stream.text).toBe(await original(runOf(stream)));
    expect((await get(front, `/api/v1/runs/${runOf(stream)}`, ANN)).json()).toMatchObject({
      state: "cancelled",
    });
  });

  test("refuses whom the other gateway refuses", async () => {
    // Nobody declares this role there; here it may use every service.
    const strange = { access: { roles: { guest: { inherits: ["analyst"] } } } };
    const other = use(
      await testGateway({ manifest: { ...frontMesh(back.url), ...strange }, redisUrl: frontRedis }),
    );
    const body = { message: "propose prices", session_id: randomUUID() };
    const answer = await post(other, "/api/v1/chat", body, as("gus", "guest"));
    expect(answer).toMatchObject({ status: 403 });
    expect(answer.json()).toMatchObject({ code: "forbidden" });
  });

  test("may be asked by whoever may use it alone", async () => {
    const body = { message: "propose prices", session_id: randomUUID() };
    const answer = await post(front, "/api/v1/chat", body, as("vic", "viewer"));
    expect(answer).toMatchObject({ status: 403 });
    expect(await remoteRuns(back, as("vic", "viewer"))).toEqual([]);
  });
});

describe("identity", () => {
  test("forward: the caller's own token goes along, and neither the store nor a log sees it", async () => {
    const store = use(await monitor(frontRedis));
    const body = { message: "propose prices", session_id: randomUUID() };
    const headers = as("fay");
    expect(await post(front, "/api/v1/chat", body, headers)).toMatchObject({ status: 200 });
    expect(callsOf(agent, "PRICE_OPTIMIZATION").at(-1)?.body.user_id).toBe("fay");
    const token = headers.authorization?.slice("Bearer ".length) ?? "";
    await until(() => store.commands().some((command) => command.includes("run_finished")));
    expect(store.commands().filter((command) => command.includes(token))).toEqual([]);
    expect(front.logs()).not.toContain(token);
  });

  test("exchange: a token of this gateway names the caller, its tenant and roles", async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const exchanging = { ...frontMesh(url, { identity: "exchange" }), limits: {} };
    const asking = use(
      await testGateway({
        manifest: exchanging,
        redisUrl: frontRedis,
        env: { GATEWAY_ISSUER: "https://front.test" },
      }),
    );
    const keys = { url: `${asking.url}/.well-known/jwks.json` };
    const issuers = { front: { issuer: "https://front.test", audience: [url], keys } };
    const manifest = { ...pricingMesh(agent.url), identity: { issuers } };
    const env = { PORT: `${port}` };
    const trusting = use(await testGateway({ manifest, redisUrl: backRedis, env }));
    const answer = await post(
      asking,
      "/api/v1/chat",
      { message: "propose prices", session_id: randomUUID() },
      as("eve"),
    );
    expect(answer).toMatchObject({ status: 200 });
    const [call] = callsOf(agent, "PRICE_OPTIMIZATION").toReversed();
    expect(call?.body.user_id).toBe("eve");
    // The caller's own token is not good there.
    expect(await get(trusting, "/api/v1/runs", as("eve"))).toMatchObject({ status: 401 });
    expect(asking.logs() + trusting.logs()).not.toMatch(/eyJ/);
  });

  test("a gateway that does not know this one refuses it, and the caller is told so honestly", async () => {
    const manifest = frontMesh(back.url, { identity: "exchange" });
    const asking = use(await testGateway({ manifest, redisUrl: frontRedis }));
    const stream = await chat(asking, { message: "propose prices" });
    expect(await stream.over).toBe("ended");
    expect(eventsOf(stream)).toMatchObject([
      { type: "run_started" },
      { type: "run_failed", data: { code: "upstream_refused", reason: "http_401", retryable: false } },
    ]);
  });
});

describe("gateways in a circle", () => {
  test("a request that comes back is refused, and everybody's run fails with loop_detected", async () => {
    const port = await freePort();
    const first = use(
      await testGateway({ manifest: frontMesh(`http://127.0.0.1:${port}`), redisUrl: frontRedis }),
    );
    const env = { PORT: `${port}` };
    use(await testGateway({ manifest: frontMesh(first.url), redisUrl: backRedis, env }));
    const answer = await post(first, "/api/v1/chat", { message: "propose", session_id: randomUUID() }, ANN);
    expect(answer).toMatchObject({ status: 508 });
    expect(answer.json()).toMatchObject({ code: "loop_detected", retryable: false });
  });

  test.each([
    ["through too many gateways", "a, b, c, d, e", 508, "loop_detected"],
    ["with a header that is no list of ids", "a, , b", 400, "invalid_request"],
  ])("a request %s is refused", async (_, hops, status, code) => {
    const headers = { ...ANN, "interlock-hops": hops };
    const body = { message: "propose prices", session_id: randomUUID() };
    const answer = await post(back, "/api/v1/chat", body, headers);
    expect([answer.status, answer.json().code]).toEqual([status, code]);
  });
});
