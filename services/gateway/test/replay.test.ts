import { randomUUID } from "node:crypto";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { keysOf } from "../src/store/keys.ts";
import { closed } from "./support/closed.ts";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { COMPOSITE_ASK, GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import {
  answering,
  begin,
  type Call,
  event,
  finish,
  holding,
  type StandIn,
  standIn,
} from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
const explainer = holding();
let redisUrl: string;
let agent: StandIn;
let gateway: TestGateway;
/** Another replica over the same store. */
let replica: TestGateway;
/** A run that has ended, as its own stream showed it. */
let seen: EventReader;
let run: string;

beforeAll(async () => {
  redisUrl = keep(await testRedis()).url;
  const started = await standIn({
    PRICE_OPTIMIZATION: (call) => {
      begin(call, `event: progress\ndata: {"spaced" :  [1, 2.50],\ndata: "text":"grüße\\u0000 🙂"}\n\n`);
      call.res.write(event("token", { text: "a\nb\r\n" }) + event("own-name", { done: true, message: "no" }));
      finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
    },
    POLICY_CHECK: answering(GOOD_OUTPUTS.POLICY_CHECK),
    PRICE_EXPLANATION: explainer.handler,
    SENSITIVITY_ANALYSIS: answering(GOOD_OUTPUTS.SENSITIVITY_ANALYSIS),
  });
  agent = keep(started);
  gateway = keep(await testGateway({ manifest: pricingMesh(agent.url), redisUrl }));
  replica = keep(await testGateway({ manifest: pricingMesh(agent.url), redisUrl }));
  seen = await start();
  finish(await explainer.next(), GOOD_OUTPUTS.PRICE_EXPLANATION);
  await seen.toEnd();
  run = String(seen.headers["x-run-id"]);
});

/** Starts a plan, which rests at its third step until the test lets it go on. */
const start = () =>
  EventReader.open(`${gateway.url}/api/v1/chat?stream=true`, {
    body: { message: COMPOSITE_ASK, session_id: randomUUID(), inputs: { items: [] } },
  });

const events = (at: TestGateway, id: string, query = "") => `${at.url}/api/v1/runs/${id}/events${query}`;

async function read(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
  const reader = await EventReader.open(url, { headers });
  await reader.toEnd();
  return reader;
}

const seqs = (reader: EventReader) => reader.frames.map((frame) => Number(frame.id));
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("a run that is read again", () => {
  test("is what was seen live, byte for byte, from every cursor, on every replica", async () => {
    for (let after = 0; after < seen.frames.length; after++) {
      const expected = seen.frames.slice(after).map((frame) => frame.raw);
      const at = after % 2 === 0 ? gateway : replica;
      const again = await read(events(at, run, `?dialect=chat&after=${after}`));
      expect(again.frames.map((frame) => frame.raw)).toEqual(expected);
    }
  });

  test("comes as the events themselves by default, each of its kind", async () => {
    const reader = await read(events(gateway, run));
    const contract = closed("runEvent");
    for (const data of reader.data) expect(contract(data)).toEqual({ ok: true, value: data });
    expect(reader.data.map((data) => data.seq)).toEqual(range(1, seen.frames.length));
    expect(reader.frames.map((frame) => frame.event)).toEqual(reader.data.map((data) => data.type));
    expect(new Set(reader.data.map((data) => data.run_id))).toEqual(new Set([run]));
    expect(
      reader.data.filter((data) => String(data.type).startsWith("run_")).map((data) => data.type),
    ).toEqual(["run_started", "run_finished"]);
  });

  test("has an agent's own events, whatever they are called, and none of them ends it", async () => {
    const reader = await read(events(gateway, run));
    const own = reader.data.filter((data) => data.node === "optimize" && data.type === "progress");
    expect(own.map((data) => data.data)).toEqual([
      { spaced: [1, 2.5], text: "grüße\u0000 🙂" },
      { done: true, message: "no" },
    ]);
  });

  test("begins after Last-Event-ID, which goes before ?after=", async () => {
    expect(seqs(await read(events(gateway, run), { "last-event-id": "3" }))).toEqual(
      range(4, seen.frames.length),
    );
    const both = await read(events(gateway, run, "?after=1"), { "last-event-id": "3" });
    expect(seqs(both)).toEqual(range(4, seen.frames.length));
    const empty = await read(events(gateway, run, "?after=1"), { "last-event-id": "" });
    expect(seqs(empty)).toEqual(range(2, seen.frames.length));
  });

  test("is over where all of it was read: 204", async () => {
    const { status, text } = await ask(events(gateway, run, `?after=${seen.frames.length}`));
    expect([status, text]).toEqual([204, ""]);
  });

  test.each(["-1", "x", "1.5", "1e3", "0x1", "99999", "12345678901", " 1 2"])(
    "refuses the cursor %s, which is malformed or in the future",
    async (cursor) => {
      const byHeader = await ask(events(gateway, run), { headers: { "last-event-id": cursor } });
      expect([byHeader.status, byHeader.json().code]).toEqual([400, "invalid_cursor"]);
      const byQuery = await ask(events(gateway, run, `?after=${encodeURIComponent(cursor)}`));
      expect([byQuery.status, byQuery.json().code]).toEqual([400, "invalid_cursor"]);
    },
  );

  test("tells in its view how it ended", async () => {
    const { json } = await ask(`${replica.url}/api/v1/runs/${run}`);
    expect(closed("runView")(json())).toMatchObject({ ok: true });
    expect(json()).toMatchObject({
      run_id: run,
      kind: "plan",
      state: "finished",
      intent: "plan",
      flow: "pricing",
      goals: ["optimizer", "policy", "explainer"],
      seq: seen.frames.length,
      result: { status: "ok", message: seen.data.at(-1)?.message },
    });
  });
});

describe("a run under way", () => {
  let live: EventReader;
  let id: string;
  let call: Call;

  async function startAndHold(): Promise<void> {
    live = await start();
    id = String(live.headers["x-run-id"]);
    call = await explainer.next();
    await live.until((frames) => frames.some(({ data }) => data.includes('"price_explanation"')));
  }

  test("is followed on another replica: what is there, then what comes, to the end", async () => {
    await startAndHold();
    const held = live.frames.length;
    const reader = await EventReader.open(events(replica, id, "?dialect=chat"));
    await reader.until((frames) => frames.length === held);
    call.res.write(event("progress", { step: 1 }));
    await reader.until((frames) => frames.length === held + 1);
    call.res.write(event("progress", { step: 2 }));
    await reader.until((frames) => frames.length === held + 2);
    finish(call, GOOD_OUTPUTS.PRICE_EXPLANATION);
    expect(await reader.over).toBe("ended");
    await live.toEnd();
    expect(reader.text).toBe(live.text);
  });

  test("is seen alike by many readers that come at any cursor, on any replica, while it writes", async () => {
    await startAndHold();
    const held = live.frames.length;
    const readers: [after: number, reader: Promise<EventReader>][] = [];
    for (let step = 0; step < 40; step++) {
      call.res.write(event("progress", { step }));
      const after = step % (held + 1);
      readers.push([after, read(events(step % 2 ? gateway : replica, id, `?after=${after}&dialect=chat`))]);
    }
    await Promise.all([live.until((frames) => frames.length >= held + 40)]);
    finish(call, GOOD_OUTPUTS.PRICE_EXPLANATION);
    await live.toEnd();
    for (const [after, reader] of readers) {
      expect((await reader).text).toBe(
        live.frames
          .slice(after)
          .map((frame) => frame.raw)
          .join(""),
      );
    }
  });

  test("goes on without a gap for a reader that was cut and comes back elsewhere", async () => {
    await startAndHold();
    const first = await EventReader.open(events(gateway, id, "?dialect=chat"));
    call.res.write(event("progress", { step: 1 }));
    await first.until((frames) => frames.length > 3);
    first.leave();
    await first.over;
    call.res.write(event("progress", { step: 2 }));
    const second = await EventReader.open(events(replica, id, "?dialect=chat"), {
      headers: { "last-event-id": String(first.frames.length) },
    });
    finish(call, GOOD_OUTPUTS.PRICE_EXPLANATION);
    await second.toEnd();
    await live.toEnd();
    expect(first.text + second.text).toBe(live.text);
  });

  test("keeps an idle reader with comments, and only after the silence that it asked for", async () => {
    await startAndHold();
    const opened = performance.now();
    const reader = await EventReader.open(events(replica, id, "?interval=1"));
    const silent = await EventReader.open(events(replica, id, "?interval=1&keepalive=false"));
    await reader.untilComment(2);
    expect(reader.comments).toEqual([": keepalive\n\n", ": keepalive\n\n"]);
    const [one = 0, two = 0] = reader.commentTimes;
    expect(one - opened).toBeGreaterThanOrEqual(1_000);
    // Two timers on two sides: the socket may deliver the first one late, never the second one early.
    expect(two - one).toBeGreaterThanOrEqual(900);
    finish(call, GOOD_OUTPUTS.PRICE_EXPLANATION);
    await Promise.all([reader.toEnd(), silent.toEnd()]);
    expect(silent.comments).toEqual([]);
    expect(reader.text).toBe(silent.text);
  });

  test("opens no stream for a HEAD request", async () => {
    await startAndHold();
    const { status, headers, text } = await ask(events(replica, id), { method: "HEAD" });
    expect([status, text]).toEqual([200, ""]);
    expect(headers["content-type"]).toMatch(/^text\/event-stream/);
    const metrics = await ask(`${replica.url}/metrics`);
    expect(metrics.text).toMatch(/^interlock_open_streams 0$/m);
    finish(call, GOOD_OUTPUTS.PRICE_EXPLANATION);
    await live.toEnd();
  });

  test("has no result yet in its view", async () => {
    await startAndHold();
    const { json } = await ask(`${replica.url}/api/v1/runs/${id}`);
    expect(json()).toMatchObject({ state: "running" });
    expect(json()).not.toHaveProperty("result");
    finish(call, GOOD_OUTPUTS.PRICE_EXPLANATION);
    await live.toEnd();
  });
});

test("a reader of a log that is no longer held hears so: a reset with the run as it stands, then its end", async () => {
  const forgetful = use(
    await testGateway({ manifest: pricingMesh(agent.url), redisUrl, env: { LOG_TTL_S: "1" } }),
  );
  const { json } = await ask(`${forgetful.url}/api/v1/chat`, {
    body: { message: "hello", session_id: randomUUID() },
  });
  const id = String(json().thread_id);
  const redis = new Redis(redisUrl);
  use({ stop: () => redis.disconnect() });
  await until(async () => (await redis.exists(keysOf("default").events(id))) === 0);
  const reader = await read(events(gateway, id, "?dialect=chat"));
  const [reset, end, ...more] = reader.frames;
  expect(more).toEqual([]);
  expect(reset?.event).toBe("reset");
  expect(reset?.id).toBeUndefined();
  expect(gatewayContract.runView(JSON.parse(reset?.data ?? ""))).toMatchObject({ ok: true });
  expect(JSON.parse(end?.data ?? "")).toMatchObject({
    done: true,
    message: "Ask for prices.",
    seq: Number(end?.id),
  });
  const after = await ask(events(gateway, id, `?after=${end?.id}`));
  expect(after.status).toBe(204);
});
