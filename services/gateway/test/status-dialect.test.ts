import { randomUUID } from "node:crypto";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { GOOD_OUTPUTS } from "./support/mesh.ts";
import { ANN, decide, get, LEE, pauseOf, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { answering, failing, type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
let agent: StandIn;
let gateway: TestGateway;

beforeAll(async () => {
  const redis = keep(await testRedis());
  agent = keep(
    await standIn({
      ...PUBLISHING,
      POLICY_CHECK: answering(GOOD_OUTPUTS.POLICY_CHECK),
      PRICE_EXPLANATION: failing("NO_DATA", "There is nothing to explain."),
    }),
  );
  const env = { SLOW_WARNING_MS: "60000" };
  gateway = keep(await testGateway({ manifest: publishingMesh(agent.url), redisUrl: redis.url, env }));
});

const body = (message: string) => ({ message, session_id: randomUUID(), conversation_id: "conv-9" });
const chat = (message: string, query: string) =>
  EventReader.open(`${gateway.url}/api/v1/chat?${query}`, { body: body(message), headers: ANN });

const ENDS = ["complete", "error"];

/** Reads to the end, and checks what holds for every stream of the dialect. */
async function whole(reader: EventReader) {
  expect(await reader.over).toBe("ended");
  const { data, frames } = reader;
  for (const one of data) expect(gatewayContract.statusEvent(one)).toEqual({ ok: true, value: one });
  const ends = data.filter(({ type }) => ENDS.includes(String(type)));
  expect(ends).toEqual([data.at(-1)]);
  const ids = frames.flatMap(({ id }) => (id === undefined ? [] : Number(id)));
  expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index));
  return { data, frames, ids, end: data.at(-1) ?? {} };
}

describe("a chat in the status dialect", () => {
  test.each(["stream=true&dialect=status", "dialect=status"])(
    "?%s tells what goes on, then the answer, then that it is complete",
    async (query) => {
      const { data, frames, ids } = await whole(await chat("check the hierarchy", query));
      expect(frames.map(({ event }) => event)).toEqual([
        "status",
        "status",
        "tool_call",
        "message",
        "status",
      ]);
      expect(data.map(({ type }) => type)).toEqual(["thinking", "executing", "tool", "text", "complete"]);
      expect(data[2]).toMatchObject({ name: "policy_check", result: expect.any(Object) });
      expect(data.every(({ conversation_id }) => conversation_id === "conv-9")).toBe(true);
      expect(ids[0]).toBe(1);
    },
  );

  test("is one JSON answer where no stream is wanted", async () => {
    const url = `${gateway.url}/api/v1/chat?stream=false&dialect=status`;
    const answer = await ask(url, { body: body("check the hierarchy") });
    expect(answer.json()).toMatchObject({ done: true });
  });

  test("that fails ends with an error, which carries the code", async () => {
    const { data, end } = await whole(await chat("explain the drivers", "dialect=status"));
    expect(end).toMatchObject({
      type: "error",
      outcome: "error",
      code: expect.any(String),
      agent_code: "NO_DATA",
    });
    expect(data.some(({ type }) => type === "text")).toBe(false);
  });

  test("in a dialect that there is not is refused", async () => {
    const answer = await ask(`${gateway.url}/api/v1/chat?dialect=morse`, { body: body("hello") });
    expect([answer.status, answer.json().code]).toEqual([400, "invalid_request"]);
  });
});

test("a run's log reads in the dialect too: from any id on it gives the rest, the answer always whole", async () => {
  const live = await chat("check the hierarchy", "dialect=status");
  const { frames, ids } = await whole(live);
  const path = `${gateway.url}/api/v1/runs/${live.headers["x-run-id"]}/events?dialect=status`;
  for (const id of ids.slice(0, -1)) {
    const resumed = await EventReader.open(path, { headers: { ...ANN, "last-event-id": String(id) } });
    await whole(resumed);
    const at = frames.findIndex((frame) => frame.id === String(id));
    expect(resumed.text).toBe(
      frames
        .slice(at + 1)
        .map(({ raw }) => raw)
        .join(""),
    );
  }
});

test("a pause completes its stream with the approval; once decided, the run's stream has one end, its own", async () => {
  const live = await chat("publish the prices", "dialect=status&plan=true");
  const { end } = await whole(live);
  const run = String(live.headers["x-run-id"]);
  expect(end).toMatchObject({
    type: "complete",
    outcome: "paused",
    thread_id: run,
    approval: { id: expect.any(String) },
  });
  const paused = pauseOf(run, await toRest(gateway, run));
  const view = await get(gateway, `/api/v1/approvals/${paused.approvalId}`, LEE);
  expect(view.json().state).toBe("pending");
  expect((await decide(gateway, paused, "approve", LEE)).status).toBe(200);
  await toRest(gateway, run, ANN, paused.seq);
  const again = await whole(
    await EventReader.open(`${gateway.url}/api/v1/runs/${run}/events?dialect=status`, { headers: ANN }),
  );
  expect(again.end).toMatchObject({ type: "complete", outcome: "ok" });
  expect(again.data.filter(({ type }) => type === "text")).toHaveLength(1);
});
