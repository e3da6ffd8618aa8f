import { randomUUID } from "node:crypto";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closed } from "./support/closed.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { COMPOSITE_ASK, GOOD_OUTPUTS } from "./support/mesh.ts";
import { ANN, as, decide, get, LEE, pauseOf, post, startRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh, StoreView } from "./support/publishing.ts";
import { rawConnection } from "./support/raw.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import {
  begin,
  type Call,
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
const explainer = holding();
let agent: StandIn;
let gateway: TestGateway;
let store: StoreView;
let redisUrl: string;

/** Says a few words, one after another. */
function speaking(call: Call): void {
  const words = ["One ", "price ", "“moves”.\n"].map((text) => event("token", { text })).join("");
  begin(call, words + event("progress", { task_progress: { index: 1, total: 2, slots: { item: "A100" } } }));
  finish(call, GOOD_OUTPUTS.POLICY_CHECK);
}

function manifest() {
  const mesh = publishingMesh(agent.url);
  const { policy } = mesh.agents;
  return {
    ...mesh,
    agents: { ...mesh.agents, policy: { ...policy, label: { en: "Checking", ko: "확인 중" } } },
  };
}

beforeAll(async () => {
  const redis = keep(await testRedis());
  redisUrl = redis.url;
  store = keep(new StoreView(redis.url));
  agent = keep(
    await standIn({
      ...PUBLISHING,
      POLICY_CHECK: speaking,
      PRICE_EXPLANATION: explainer.handler,
      SENSITIVITY_ANALYSIS: failing("NO_DATA", "There is nothing to test."),
    }),
  );
  const env = { SLOW_WARNING_MS: "60000", DEV_MODE: "true" };
  gateway = keep(await testGateway({ manifest: manifest(), redisUrl, env }));
});

const CHAT = "/v1/agent/chat";
type Asked = { session_id: string; message: string; turn_id?: string; locale?: string };

const turn = (message: string, more: Partial<Asked> = {}): Asked => ({
  session_id: randomUUID(),
  message,
  ...more,
});
const getUrl = (asked: object, url = gateway.url) =>
  `${url}${CHAT}/stream?${new URLSearchParams(Object.entries(asked))}`;
const byGet = (asked: object, headers: Record<string, string> = {}) =>
  EventReader.open(getUrl(asked), { headers: { ...ANN, ...headers } });
const byPost = (body: object, headers: Record<string, string> = {}) =>
  EventReader.open(`${gateway.url}${CHAT}/stream`, { body, headers: { ...ANN, ...headers } });

const CHECK = "check the hierarchy";
const EXPLAIN = "explain the drivers";

/** Reads to the end, and checks what holds for every stream of the dialect. */
async function whole(reader: EventReader) {
  expect([reader.status, await reader.over]).toEqual([200, "ended"]);
  const { frames } = reader;
  const events = frames.map(({ event, data }) => ({ event, data: JSON.parse(data) }));
  for (const one of events) expect(gatewayContract.turnEvent(one)).toEqual({ ok: true, value: one });
  expect(events.filter((one) => one.event === "DONE")).toEqual([events.at(-1)]);
  expect(frames.at(-1)?.id).toMatch(/:done$/);
  return { events, names: events.map((one) => one.event), frames, answer: events.at(-1)?.data };
}

const executions = (task: string) => callsOf(agent, task).length;

describe("POST /v1/agent/chat", () => {
  test("answers with what the turn came to, and nothing else", async () => {
    const { status, headers, json } = await post(gateway, CHAT, turn(CHECK), ANN);
    expect([status, closed("turnAnswer")(json())]).toEqual([200, { ok: true, value: json() }]);
    expect(json()).toMatchObject({ next_action: "DONE", ui_hint: { buttons: [] }, state_snapshot: {} });
    expect(headers["x-run-id"]).toMatch(/^[0-9a-f]{32}$/);
  });

  test("says of a turn that failed why, and of one that waits for whom", async () => {
    const failed = await post(gateway, CHAT, turn("is it robust"), ANN);
    expect([failed.status, failed.json()]).toMatchObject([
      200,
      { next_action: "ASK", error: { code: expect.any(String), retryable: false } },
    ]);
    const paused = (await post(gateway, CHAT, turn("publish the prices"), ANN)).json();
    expect(closed("turnAnswer")(paused).ok).toBe(true);
    expect(paused).toMatchObject({
      next_action: "CONFIRM",
      state_snapshot: { stage: "WAITING_APPROVAL", approval: { id: expect.any(String) } },
    });
  });

  test.each([
    ["an unknown member", { ...turn(CHECK), user: "ann" }, 400],
    ["no session", { message: CHECK }, 400],
    ["a blank message", turn(" "), 400],
    ["a message that is too long", turn("x".repeat(4_001)), 400],
    ["a locale that there is not", turn(CHECK, { locale: "tlh" }), 400],
  ])("refuses %s in the form of the API's errors", async (_what, body, status) => {
    for (const path of [CHAT, `${CHAT}/stream`]) {
      const refused = await post(gateway, path, body, ANN);
      expect([refused.status, closed("error")(refused.json()).ok]).toEqual([status, true]);
    }
  });

  test("with the name of an earlier turn answers as it did; with another message it is refused", async () => {
    const named = turn(CHECK, { turn_id: "t-1" });
    const first = await post(gateway, CHAT, named, ANN);
    const before = executions("POLICY_CHECK");
    const again = await post(gateway, CHAT, named, ANN);
    expect([again.headers["x-run-id"], again.text]).toEqual([first.headers["x-run-id"], first.text]);
    const streams = [await byPost(named), await byGet(named)];
    for (const stream of streams) {
      expect((await whole(stream)).answer).toEqual(first.json());
      expect(stream.headers["x-run-id"]).toBe(first.headers["x-run-id"]);
    }
    expect(executions("POLICY_CHECK")).toBe(before);
    const other = await post(gateway, CHAT, { ...named, message: EXPLAIN }, ANN);
    expect([other.status, other.json().code]).toEqual([422, "idempotency_mismatch"]);
    const both = await post(gateway, CHAT, named, { ...ANN, "idempotency-key": "k" });
    expect([both.status, both.json().code]).toEqual([400, "invalid_request"]);
    // Somebody else's turn of this name, in a session of theirs.
    const bea = await post(gateway, CHAT, { ...named, session_id: randomUUID() }, as("bea"));
    expect(bea.headers["x-run-id"]).not.toBe(first.headers["x-run-id"]);
  });
});

describe("a turn is streamed", () => {
  test.each([
    ["POST", byPost],
    ["GET", byGet],
  ])("by %s, agent by agent, to its DONE", async (_method, open) => {
    const reader = await open(turn(CHECK));
    const { events, frames, names } = await whole(reader);
    const run = String(reader.headers["x-run-id"]);
    expect(reader.hints).toEqual([`id: ${run}:1\nretry: 1000\n\n`]);
    expect(names).toEqual([
      "AGENT_START",
      ...["LLM_TOKEN", "LLM_TOKEN", "LLM_TOKEN"],
      "TASK_PROGRESS",
      ...["LLM_DONE", "AGENT_DONE", "DONE"],
    ]);
    expect(events[0]?.data).toEqual({ agent: "policy", label: "Checking" });
    expect(events[1]?.data).toBe("One ");
    expect(events[4]?.data).toEqual({ index: 1, total: 2, slots: { item: "A100" } });
    expect(events[5]?.data).toEqual({ action: "DONE", message: "One price “moves”.\n" });
    expect(frames.every(({ id = `${run}:` }) => id.startsWith(`${run}:`))).toBe(true);
    // Nothing words them, so that the answer has them.
    expect(events[6]?.data).toMatchObject({ agent: "policy", result: GOOD_OUTPUTS.POLICY_CHECK });
    expect(events[7]?.data).toMatchObject({ outputs: GOOD_OUTPUTS.POLICY_CHECK });
  });

  test.each([
    ["the language of its message", turn("check 가격"), "확인 중"],
    ["the locale that is asked for", turn(CHECK, { locale: "ko" }), "확인 중"],
    ["the locale, whatever the message", turn("check 가격", { locale: "en" }), "Checking"],
  ])("with labels in %s", async (_what, asked, label) => {
    expect((await whole(await byGet(asked))).events[0]?.data).toEqual({ agent: "policy", label });
  });

  test("also where a run's events, or a chat, are asked for in the dialect", async () => {
    const chat = await EventReader.open(`${gateway.url}/api/v1/chat?dialect=turn`, {
      body: { message: "check 가격", session_id: randomUUID() },
      headers: ANN,
    });
    const { frames, events } = await whole(chat);
    expect(events[0]?.data).toEqual({ agent: "policy", label: "확인 중" });
    const path = `${gateway.url}/api/v1/runs/${chat.headers["x-run-id"]}/events?dialect=turn`;
    const headers = { ...ANN, "last-event-id": frames[2]?.id ?? "" };
    const rest = await EventReader.open(path, { headers });
    await whole(rest);
    expect(rest.text).toBe(
      frames
        .slice(3)
        .map(({ raw }) => raw)
        .join(""),
    );
  });
});

describe("whatever becomes of a turn, DONE is last, and any part of the stream can be had again", () => {
  test.each<[string, string, object]>([
    ["an ask", CHECK, { next_action: "DONE" }],
    ["what nobody does", "hello", { next_action: "DONE" }],
    ["a plan", "full review", { next_action: "DONE" }],
    ["a failure", "is it robust", { next_action: "ASK", error: { retryable: false } }],
    [
      "a pause",
      "publish the prices",
      { next_action: "CONFIRM", state_snapshot: { stage: "WAITING_APPROVAL" } },
    ],
  ])("%s", async (_what, message, expected) => {
    if (message === "full review")
      void explainer.next().then((call) => finish(call, GOOD_OUTPUTS.PRICE_EXPLANATION));
    const asked = turn(message);
    const live = await byGet(asked);
    const { frames, answer } = await whole(live);
    expect(answer).toMatchObject(expected);
    const run = String(live.headers["x-run-id"]);
    const all = live.hints.join("") + live.text;
    const again = await byGet({ ...asked }, { "last-event-id": `${run}:0` });
    await whole(again);
    expect(again.hints.join("") + again.text).toBe(all);
    const ids = [`${run}:1`, ...frames.flatMap(({ id }) => id ?? [])].slice(0, -1);
    for (const id of ids) {
      const resumed = await byGet(asked, { "last-event-id": id });
      await whole(resumed);
      const from = frames.findLastIndex((frame) => frame.id === id) + 1;
      expect(resumed.text).toBe(
        frames
          .slice(from)
          .map(({ raw }) => raw)
          .join(""),
      );
    }
    const over = await byGet(asked, { "last-event-id": frames.at(-1)?.id ?? "" });
    expect([over.status, await over.over]).toEqual([204, "ended"]);
  });

  test("a cancellation", async () => {
    const reader = await byPost(turn(EXPLAIN));
    await explainer.next();
    const run = reader.headers["x-run-id"];
    await post(gateway, `/api/v1/runs/${run}/cancel`, {}, ANN);
    const { names, answer } = await whole(reader);
    expect(names.slice(-2)).toEqual(["AGENT_DONE", "DONE"]);
    expect(answer).toMatchObject({ next_action: "ASK", error: { code: "cancelled", retryable: false } });
  });

  test("a pause stays the end of its turn when the run has gone on", async () => {
    const asked = turn("publish the prices");
    const live = await byGet(asked);
    const { frames } = await whole(live);
    const run = String(live.headers["x-run-id"]);
    const paused = pauseOf(run, await toRest(gateway, run));
    expect((await decide(gateway, paused, "approve", LEE)).status).toBe(200);
    await toRest(gateway, run, ANN, paused.seq);
    const resumed = await byGet(asked, { "last-event-id": `${run}:1` });
    await whole(resumed);
    expect(resumed.text).toBe(live.text);
    const told = await byGet(asked, { "last-event-id": frames.at(-1)?.id ?? "" });
    expect(told.status).toBe(204);
  });
});

describe("a GET that is repeated", () => {
  test("without a word that it is, is the same turn while it goes on, and after it was cut off", async () => {
    const asked = turn(EXPLAIN);
    const before = executions("PRICE_EXPLANATION");
    const first = await byGet(asked);
    const call = await explainer.next();
    const second = await byGet(asked);
    expect(second.headers["x-run-id"]).toBe(first.headers["x-run-id"]);
    first.leave();
    second.leave();
    finish(call, GOOD_OUTPUTS.PRICE_EXPLANATION);
    await toRest(gateway, String(first.headers["x-run-id"]));
    const third = await byGet(asked);
    await whole(third);
    expect(third.headers["x-run-id"]).toBe(first.headers["x-run-id"]);
    expect(executions("PRICE_EXPLANATION")).toBe(before + 1);
  });

  test("at the same moment is one turn", async () => {
    const asked = turn(EXPLAIN);
    const opened = await Promise.all(Array.from({ length: 8 }, () => byGet(asked)));
    finish(await explainer.next(), GOOD_OUTPUTS.PRICE_EXPLANATION);
    for (const reader of opened) await whole(reader);
    expect(new Set(opened.map(({ headers }) => headers["x-run-id"])).size).toBe(1);
  });

  test("after its answer was read is a new turn", async () => {
    const asked = turn(CHECK);
    const runs = new Set<unknown>();
    for (let round = 0; round < 3; round++) {
      const reader = await byGet(asked);
      await whole(reader);
      runs.add(reader.headers["x-run-id"]);
    }
    expect(runs.size).toBe(3);
  });

  test("after another turn of the session is a new turn, read or not", async () => {
    const asked = turn(EXPLAIN);
    const first = await byGet(asked);
    const call = await explainer.next();
    first.leave();
    finish(call, GOOD_OUTPUTS.PRICE_EXPLANATION);
    await toRest(gateway, String(first.headers["x-run-id"]));
    await post(gateway, CHAT, { ...asked, message: CHECK }, ANN);
    const again = await byGet(asked);
    finish(await explainer.next(), GOOD_OUTPUTS.PRICE_EXPLANATION);
    await whole(again);
    expect(again.headers["x-run-id"]).not.toBe(first.headers["x-run-id"]);
  });

  test("by a browser that lost the connection of the answer is the same turn once more", async () => {
    const asked = turn(CHECK);
    const path = getUrl(asked).slice(gateway.url.length);
    const { host } = new URL(gateway.url);
    const headers = { ...ANN, host, "sec-fetch-mode": "cors", "sec-fetch-site": "same-origin" };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const browser = await rawConnection(gateway.url);
    browser.write(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
    await until(() => /event: DONE\n.*\n\n\r\n0\r\n\r\n$/s.test(browser.text()));
    const run = /x-run-id: (\w+)/i.exec(browser.text())?.[1];
    browser.stop();
    await until(async () => (await told(asked.session_id)) === "0");
    const again = await byGet(asked);
    await whole(again);
    expect(again.headers["x-run-id"]).toBe(run);
    const next = await byGet(asked);
    await whole(next);
    expect(next.headers["x-run-id"]).not.toBe(run);
  });

  test("with the id of somebody else's event finds nothing; with an id that there is not is refused", async () => {
    const asked = turn(CHECK);
    const mine = await byGet(asked);
    await whole(mine);
    const run = String(mine.headers["x-run-id"]);
    const refusals: [string, Record<string, string>, Asked, number, string][] = [
      [`${run}:1`, as("bea"), asked, 404, "not_found"],
      [`${run}:1:done`, as("bea"), asked, 404, "not_found"],
      [`${randomUUID()}:1`, ANN, asked, 404, "not_found"],
      [`${run}:1`, ANN, turn(CHECK), 400, "invalid_cursor"],
      [`${run}:1`, ANN, { ...asked, message: EXPLAIN }, 400, "invalid_cursor"],
      [`${run}:999`, ANN, asked, 400, "invalid_cursor"],
      ["7", ANN, asked, 400, "invalid_cursor"],
    ];
    for (const [id, who, what, status, code] of refusals) {
      const answer = await ask(getUrl(what), { headers: { ...who, "last-event-id": id } });
      expect([id, answer.status, answer.json().code]).toEqual([id, status, code]);
    }
    // Nor does the same message in the session join it.
    const bea = await ask(getUrl(asked), { headers: as("bea") });
    expect(bea.status).toBe(404);
  });

  test("through another replica goes on, where the first one stopped without a DONE", async () => {
    const env = { SHUTDOWN_GRACE_MS: "50" };
    const first = await testGateway({ manifest: manifest(), redisUrl, env });
    const asked = turn(COMPOSITE_ASK);
    const cut = await EventReader.open(getUrl(asked, first.url), { headers: ANN });
    await explainer.next();
    await cut.until((frames) => frames.length >= 2);
    await first.stop();
    expect(await cut.over).toBe("ended");
    expect(cut.text).not.toContain("event: DONE");
    const id = cut.frames.findLast((frame) => frame.id !== undefined)?.id ?? "";
    const resumed = await byGet(asked, { "last-event-id": id });
    finish(await explainer.next(), GOOD_OUTPUTS.PRICE_EXPLANATION);
    await whole(resumed);
    expect(resumed.headers["x-run-id"]).toBe(cut.headers["x-run-id"]);
  });
});

async function told(session: string): Promise<string | null> {
  return await store.redis.hget(`il:{default}:session:${session}`, "get_told");
}

describe("a GET that has an effect", () => {
  const here = () => new URL(gateway.url).host;
  test.each<[string, () => Record<string, string>]>([
    ["of a page of another origin", () => ({ origin: "https://evil.test" })],
    ["of another site", () => ({ "sec-fetch-site": "cross-site", "sec-fetch-dest": "empty" })],
    ["of another port of this machine", () => ({ "sec-fetch-site": "same-site", "sec-fetch-dest": "empty" })],
    ["of a link in a mail", () => ({ "sec-fetch-site": "none", "sec-fetch-dest": "document" })],
    ["of a picture", () => ({ "sec-fetch-site": "same-origin", "sec-fetch-dest": "image" })],
  ])("is refused %s, with and without a token", async (_what, headers) => {
    const before = executions("POLICY_CHECK");
    for (const who of [{}, ANN]) {
      const answer = await ask(getUrl(turn(CHECK)), { headers: { ...who, ...headers() } });
      expect([answer.status, answer.json().code]).toEqual([403, "forbidden"]);
    }
    expect(executions("POLICY_CHECK")).toBe(before);
  });

  test("is served to our own pages, and to programs of this machine", async () => {
    const own = { "sec-fetch-site": "same-origin", "sec-fetch-dest": "empty", "sec-fetch-mode": "cors" };
    const headers: Record<string, string>[] = [{}, own, { ...own, origin: `http://${here()}` }];
    for (const one of headers) await whole(await EventReader.open(getUrl(turn(CHECK)), { headers: one }));
  });

  test("has none as a HEAD", async () => {
    const before = executions("POLICY_CHECK");
    const { status, headers } = await ask(getUrl(turn(CHECK)), { method: "HEAD", headers: ANN });
    expect([status, headers["content-type"]]).toEqual([200, "text/event-stream; charset=utf-8"]);
    expect(executions("POLICY_CHECK")).toBe(before);
  });

  test.each<[string, object, number, string]>([
    ["no message", { session_id: "s" }, 400, "invalid_request"],
    ["a blank message", { session_id: "s", message: "  " }, 400, "invalid_request"],
    ["a message that is too long", turn("x".repeat(4_001)), 400, "invalid_request"],
    ["a URL that is too long", turn("값".repeat(4_000)), 431, "headers_too_large"],
    ["a token in its query", { ...turn(CHECK), access_token: "x" }, 400, "invalid_request"],
    ["a session that is no id", turn(CHECK, { session_id: "a b" }), 400, "invalid_request"],
  ])("is refused with %s", async (_what, asked, status, code) => {
    const answer = await ask(getUrl(asked), { headers: ANN });
    expect([answer.status, answer.json().code]).toEqual([status, code]);
    expect(closed("error")(answer.json()).ok).toBe(true);
  });

  test("needs a token where there is one to need", async () => {
    const env = { AUTH: "required" };
    const strict = keep(await testGateway({ manifest: manifest(), redisUrl, env }));
    const answer = await ask(getUrl(turn(CHECK), strict.url));
    expect([answer.status, answer.json().code]).toEqual([401, "unauthorized"]);
    expect((await ask(`${strict.url}/v1/agent/nothing`)).status).toBe(401);
    expect((await ask(`${strict.url}/v1/agent/nothing`, { headers: ANN })).status).toBe(404);
  });
});

describe("what came of a session", () => {
  const EFFECTS = [
    { id: "t2", kind: "transfer", service: "transfer", run_id: "r2", at: "2026-01-15T09:31:00.000Z" },
    { id: "t1", kind: "transfer", service: "transfer", run_id: "r1", at: "2026-01-15T09:30:00.000Z", n: 1 },
  ];

  async function session(): Promise<string> {
    const asked = turn(CHECK);
    await post(gateway, CHAT, asked, ANN);
    for (const effect of EFFECTS) {
      const field = `effect:transfer:${effect.id}`;
      const key = `il:{default}:session:${asked.session_id}`;
      await store.redis.hset(key, field, JSON.stringify(effect));
    }
    return asked.session_id;
  }

  test("is listed, oldest first, to those who may see the session", async () => {
    const id = await session();
    const path = `/v1/agent/completed?session_id=${id}`;
    const { json } = await get(gateway, path, ANN);
    expect(closed("completedList")(json()).ok).toBe(true);
    expect(json()).toEqual({ session_id: id, completed: EFFECTS.toReversed() });
    expect((await get(gateway, path, as("bea"))).status).toBe(404);
    expect((await get(gateway, "/v1/agent/completed", ANN)).status).toBe(400);
    expect((await get(gateway, `/v1/agent/completed?session_id=${randomUUID()}`, ANN)).status).toBe(404);
  });

  test("is shown whole to a developer alone", async () => {
    const id = await session();
    const path = `/v1/agent/debug/${id}`;
    const { json } = await get(gateway, path, ANN);
    expect(closed("sessionDebug")(json()).ok).toBe(true);
    expect(json().fields).toMatchObject({ "effect:transfer:t1": EFFECTS[1], title: CHECK });
    expect((await get(gateway, path, as("bea"))).status).toBe(404);
    const plain = keep(await testGateway({ manifest: manifest(), redisUrl }));
    expect((await get(plain, path, ANN)).status).toBe(404);
  });
});

test("a run of another door is nobody's turn by GET", async () => {
  const session_id = randomUUID();
  const run = await startRun(gateway, { message: CHECK, session_id });
  await toRest(gateway, run);
  const reader = await byGet({ session_id, message: CHECK });
  await whole(reader);
  expect(reader.headers["x-run-id"]).not.toBe(run);
});
