import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask, open } from "./support/http.ts";
import { COMPOSITE_ASK, GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { answering, event, finish, gone, holding, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const optimizer = holding();
let gateway: TestGateway;

beforeAll(async () => {
  const redis = keep(await testRedis());
  const { PRICE_OPTIMIZATION: _, ...others } = GOOD_OUTPUTS;
  const handlers = Object.entries(others).map(([task, outputs]) => [task, answering(outputs)]);
  const agent = keep(
    await standIn({ ...Object.fromEntries(handlers), PRICE_OPTIMIZATION: optimizer.handler }),
  );
  gateway = keep(await testGateway({ manifest: pricingMesh(agent.url), redisUrl: redis.url }));
});

const ASK = "Propose new prices";

const start = (message: string, query = "") =>
  EventReader.open(`${gateway.url}/api/v1/chat?stream=true${query}`, {
    body: { message, session_id: randomUUID() },
  });

const view = async (id: unknown) => (await ask(`${gateway.url}/api/v1/runs/${id}`)).json();

/** The run's whole log once it has ended. */
async function logOf(id: unknown): Promise<string[]> {
  const reader = await EventReader.open(`${gateway.url}/api/v1/runs/${id}/events`);
  await reader.toEnd();
  return reader.frames.map((frame) => frame.event ?? "");
}

const ends = (types: string[]) => types.filter((type) => /^run_(finished|failed|cancelled)$/.test(type));

describe("a client that goes away", () => {
  test.each([
    ["a simple ask", ASK, ""],
    ["a plan that was to be cancelled", COMPOSITE_ASK, "&on_disconnect=cancel"],
  ])("cancels %s: the agent's connection is closed, the run ends once", async (_what, message, query) => {
    const client = await start(message, query);
    const call = await optimizer.next();
    client.leave();
    await gone(call);
    const id = client.headers["x-run-id"];
    const log = await logOf(id);
    expect(log.at(-1)).toBe("run_cancelled");
    expect(ends(log)).toEqual(["run_cancelled"]);
    expect(await view(id)).toMatchObject({ state: "cancelled", result: { status: "cancelled" } });
  });

  test("cancels a simple ask that it waits for without a stream", async () => {
    const session_id = randomUUID();
    const { req, response } = open(`${gateway.url}/api/v1/chat`, { body: { message: ASK, session_id } });
    response.catch(() => undefined);
    req.on("error", () => undefined);
    const call = await optimizer.next();
    req.destroy();
    await gone(call);
    // The session is free again, and remembers.
    await until(async () => !("active_run" in (await session(session_id))));
    expect(await session(session_id)).toMatchObject({ turns: [{ role: "user" }, { status: "cancelled" }] });
  });

  test.each([
    ["a plan", COMPOSITE_ASK, ""],
    ["a simple ask that was to continue", ASK, "&on_disconnect=continue"],
  ])("does not disturb %s: it goes on to its end", async (_what, message, query) => {
    const client = await start(message, query);
    const call = await optimizer.next();
    client.leave();
    await client.over;
    call.res.write(event("progress", { after: "the client left" }));
    finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
    const log = await logOf(client.headers["x-run-id"]);
    expect(log).toContain("progress");
    expect(ends(log)).toEqual(["run_finished"]);
    expect(call.res.errored).toBeNull();
  });

  test("after the end has nothing to cancel", async () => {
    const client = await start(ASK);
    finish(await optimizer.next(), GOOD_OUTPUTS.PRICE_OPTIMIZATION);
    await client.toEnd();
    client.leave();
    expect(await view(client.headers["x-run-id"])).toMatchObject({ state: "finished" });
  });

  test("from a run's events leaves the run and its other readers alone", async () => {
    const client = await start(ASK);
    const call = await optimizer.next();
    const reader = await EventReader.open(`${gateway.url}/api/v1/runs/${client.headers["x-run-id"]}/events`);
    await reader.until((frames) => frames.length > 0);
    reader.leave();
    await reader.over;
    finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
    await client.toEnd();
    expect(client.data.at(-1)).toMatchObject({ message: "One price moves." });
  });
});

async function session(id: string): Promise<Record<string, unknown>> {
  return (await ask(`${gateway.url}/api/v1/sessions/${id}`)).json();
}

test("a thousand clients that come and go leave no stream and no run behind", async () => {
  const count = async (name: string) => {
    const { text } = await ask(`${gateway.url}/metrics`);
    return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
  };
  const client = await start(ASK, "&on_disconnect=continue");
  const call = await optimizer.next();
  const url = `${gateway.url}/api/v1/runs/${client.headers["x-run-id"]}/events`;
  for (let round = 0; round < 20; round++) {
    const readers = await Promise.all(Array.from({ length: 50 }, () => EventReader.open(url)));
    for (const reader of readers) reader.leave();
  }
  await until(async () => (await count("interlock_open_streams")) === 1);
  finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
  await client.toEnd();
  await until(async () => (await count("interlock_open_streams")) === 0);
  await until(async () => (await count("interlock_running_runs")) === 0);
});
