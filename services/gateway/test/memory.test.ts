import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { extendSummary } from "../src/language/index.ts";
import { connect, keysOf, SessionStore } from "../src/store/index.ts";
import { closed } from "./support/closed.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { as, get, post } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { answering, finish, holding, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const optimizer = holding();
let redisUrl: string;
let agent: StandIn;
let store: SessionStore;
/** Two replicas. */
let gateway: TestGateway;
let other: TestGateway;
/** One with room for many turns and few tokens. */
let terse: TestGateway;

const start = (env: Record<string, string>) =>
  testGateway({ manifest: pricingMesh(agent.url), redisUrl, env });

beforeAll(async () => {
  redisUrl = keep(await testRedis()).url;
  agent = keep(
    await standIn({
      PRICE_OPTIMIZATION: optimizer.handler,
      POLICY_CHECK: answering(GOOD_OUTPUTS.POLICY_CHECK),
    }),
  );
  const short = { MAX_CONTEXT_TURNS: "4", MEMORY_KEEP_RECENT_TURNS: "2" };
  gateway = keep(await start(short));
  other = keep(await start(short));
  terse = keep(
    await start({ MAX_CONTEXT_TURNS: "1000", MEMORY_KEEP_RECENT_TURNS: "2", MEMORY_TOKENS: "100" }),
  );
  const redis = connect(redisUrl, () => undefined);
  keep({ stop: () => redis.close() });
  store = new SessionStore(redis.commands);
});

type View = {
  summary?: { turns: number; text: string };
  turns: { role: string; run_id: string; text: string }[];
};

async function say(session: string, message: string, where = gateway, query = ""): Promise<void> {
  const answer = await ask(`${where.url}/api/v1/chat${query}`, { body: { message, session_id: session } });
  expect([answer.status, message]).toEqual([200, message]);
}

async function view(session: string): Promise<View> {
  const answer = await get(gateway, `/api/v1/sessions/${session}`);
  expect(closed("sessionView")(answer.json())).toMatchObject({ ok: true });
  return Object(answer.json());
}

/** Waits until the session has a summary that stands for so many turns. */
async function summarised(session: string, turns: number): Promise<View> {
  let last = await view(session);
  await until(async () => {
    last = await view(session);
    return (last.summary?.turns ?? 0) >= turns;
  });
  return last;
}

const said = ({ turns }: View) => turns.flatMap(({ role, text }) => (role === "user" ? [text] : []));

describe("a conversation that grows long", () => {
  test("is summarised but for its latest turns, which keep their order", async () => {
    const session = randomUUID();
    const messages = ["at most 5 % change for VALVE-V7", "two", "three", "four", "five"];
    for (const message of messages.slice(0, 4)) await say(session, message);
    expect((await view(session)).summary).toBeUndefined();
    await say(session, "five");
    const after = await summarised(session, 3);
    expect(after.summary).toMatchObject({ turns: 3 });
    expect(after.summary?.text).toContain("at most 5 % change");
    expect(after.summary?.text).toContain("VALVE-V7");
    expect(after.turns.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(said(after)).toEqual(["four", "five"]);
  });

  test("goes on: what was said first is still in the summary after many turns", async () => {
    const session = randomUUID();
    for (let turn = 1; turn <= 15; turn++)
      await say(session, turn === 1 ? "never more than 5 % for PUMP-P1" : `hello ${turn}`);
    const after = await summarised(session, 11);
    expect((after.summary?.turns ?? 0) + said(after).length).toBe(15);
    expect(after.summary?.text).toContain("PUMP-P1");
    expect(after.summary?.text).toContain("never more than 5 %");
    expect(said(after).at(-1)).toBe("hello 15");
  });

  test("in few turns of many tokens is summarised too", async () => {
    const session = randomUUID();
    for (const turn of [1, 2, 3]) await say(session, `${turn}: ${"check every price ".repeat(20)}`, terse);
    const after = await summarised(session, 1);
    expect([after.summary?.turns, said(after).length]).toEqual([1, 2]);
  });

  test("is not summarised for its bytes alone, as long as the tokens are few", async () => {
    const session = randomUUID();
    // 80 spaces are one token or two.
    for (const turn of [1, 2, 3, 4]) await say(session, `${turn}${" ".repeat(80)}.`, terse);
    const loaded = randomUUID();
    for (const turn of [1, 2, 3]) await say(loaded, `${turn}: ${"check every price ".repeat(20)}`, terse);
    // The replica takes one session after the other.
    await summarised(loaded, 1);
    expect((await view(session)).summary).toBeUndefined();
  });

  test("through two replicas at once loses no turn and has none twice", async () => {
    const session = randomUUID();
    const messages = Array.from({ length: 6 }, (_, turn) => `hello ${turn}`);
    await Promise.all(
      messages.map((message, turn) =>
        say(session, message, turn % 2 === 0 ? gateway : other, "?multitask=enqueue"),
      ),
    );
    // The entries of turns that wait for one another are mixed: they are summarised together, once later turns are the latest ones.
    for (const message of ["the last but one", "the last"]) await say(session, message);
    const after = await summarised(session, 6);
    expect([after.summary?.turns, said(after)]).toEqual([6, ["the last but one", "the last"]]);
    const runs = after.turns.map(({ run_id }) => run_id);
    for (const run of runs) expect(runs.filter((one) => one === run)).toHaveLength(2);
  });
});

describe("of two that summarise the same turns", () => {
  const keys = keysOf("default");
  const of = (user: string) => JSON.stringify(extendSummary(undefined, [{ user }]));

  test("one does it, and the other changes nothing", async () => {
    const session = randomUUID();
    for (const message of ["one", "two"]) await say(session, message);
    const outcomes = await Promise.all(
      ["first", "second"].map((name) =>
        store.summarise(keys, session, { from: 0, to: 2, summary: of(name) }),
      ),
    );
    expect(outcomes.toSorted()).toEqual([false, true]);
    const after = await view(session);
    expect([after.summary?.turns, said(after)]).toEqual([1, ["two"]]);
    expect(after.summary?.text).toContain(outcomes[0] ? "first" : "second");
  });

  test("neither brings back what a reset has cleared", async () => {
    const session = randomUUID();
    for (const message of ["one", "two"]) await say(session, message);
    await store.reset(keys, session);
    expect(await store.summarise(keys, session, { from: 0, to: 2, summary: of("late") })).toBe(false);
    expect(await view(session)).toMatchObject({ turns: [] });
    expect((await view(session)).summary).toBeUndefined();
  });

  test("nothing is put in the place of turns that there are not", async () => {
    const session = randomUUID();
    await say(session, "one");
    expect(await store.summarise(keys, session, { from: 0, to: 4, summary: of("more") })).toBe(false);
    expect(await store.summarise(keys, randomUUID(), { from: 0, to: 0, summary: of("none") })).toBe(false);
  });
});

describe("a reset", () => {
  const reset = (session: string, headers = {}) =>
    post(gateway, `/api/v1/sessions/${session}/reset`, undefined, headers);

  test("clears the turns and keeps the summary; the conversation goes on from there", async () => {
    const session = randomUUID();
    for (const turn of [1, 2, 3, 4, 5]) await say(session, `hello ${turn}`);
    const before = await summarised(session, 3);
    const answer = await reset(session);
    expect(answer.status).toBe(200);
    expect(closed("sessionView")(answer.json())).toMatchObject({ ok: true });
    expect(answer.json()).toEqual({ ...before, turns: [] });
    await say(session, "hello again");
    const after = await view(session);
    expect([after.summary, said(after)]).toEqual([before.summary, ["hello again"]]);
    expect((await reset(session)).status).toBe(200);
    expect((await reset(session)).status).toBe(200);
  });

  test("clears what the session works with", async () => {
    const session = randomUUID();
    await say(session, "hello");
    const redis = connect(redisUrl, () => undefined);
    const key = keysOf("default").session(session);
    await redis.commands.hset(key, "working", "{}");
    await reset(session);
    expect(await redis.commands.hget(key, "working")).toBeNull();
    await redis.close();
  });

  test("is refused while a run of the session is under way, and changes nothing", async () => {
    const session = randomUUID();
    const live = await EventReader.open(`${gateway.url}/api/v1/chat?stream=true`, {
      body: { message: "Propose new prices", session_id: session },
    });
    const call = await optimizer.next();
    const answer = await reset(session);
    expect([answer.status, answer.json().code, answer.json().run_id]).toEqual([
      409,
      "session_busy",
      live.headers["x-run-id"],
    ]);
    expect(said(await view(session))).toEqual(["Propose new prices"]);
    finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
    await live.toEnd();
    expect((await reset(session)).status).toBe(200);
  });

  test("of a session that there is not, or another tenant's, is not found", async () => {
    const session = randomUUID();
    await say(session, "hello");
    for (const answer of [await reset(randomUUID()), await reset(session, as("eve", "", "elsewhere"))])
      expect([answer.status, answer.json().code]).toEqual([404, "not_found"]);
    expect(said(await view(session))).toEqual(["hello"]);
  });
});
