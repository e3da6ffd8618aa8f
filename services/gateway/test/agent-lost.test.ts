import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { testGateway } from "./support/gateway.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { type RedisServer, testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { answering, begin, type Call, callsOf, event, type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
const use = closing();
let redis: Pick<RedisServer, "url" | "stop">;

beforeAll(async () => {
  redis = keep(await testRedis());
});

const checked = answering(GOOD_OUTPUTS.POLICY_CHECK);
const good = answering(GOOD_OUTPUTS.PRICE_OPTIMIZATION);

/** Dies in the middle of its first answers, as a killed process does: the connection breaks off after an event. */
function dying(times: number): (call: Call) => unknown {
  let left = times;
  return (call) => {
    if (left-- <= 0) return good(call);
    begin(call, event("progress", { message: "half of it" }));
    setTimeout(() => call.res.destroy(), 20);
  };
}

async function ask(handler: (call: Call) => unknown, plan: boolean): Promise<[StandIn, EventReader]> {
  const agent = use(await standIn({ PRICE_OPTIMIZATION: handler, POLICY_CHECK: checked }));
  const gateway = use(await testGateway({ manifest: pricingMesh(agent.url), redisUrl: redis.url }));
  const stream = await EventReader.open(`${gateway.url}/api/v1/chat?stream=true&plan=${plan}`, {
    body: { message: "propose", session_id: randomUUID(), inputs: { items: [] } },
  });
  await stream.toEnd();
  return [agent, stream];
}

const starts = (stream: EventReader) =>
  stream.data.filter(({ tool_call }) => JSON.stringify(tool_call)?.includes('"started"')).length;

describe("an agent that is lost in the middle of a step", () => {
  test("of a plan: another replica of it is asked under the same key, and the log says that the step began anew", async () => {
    const [agent, stream] = await ask(dying(1), true);
    expect(stream.data.at(-1)).toMatchObject({ done: true, message: "Passed: true" });
    const calls = callsOf(agent, "PRICE_OPTIMIZATION");
    expect(new Set(calls.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(new Set(calls.map(({ body }) => body.request_id)).size).toBe(2);
    expect(starts(stream)).toBe(3);
  });

  test("of a plan, whose request kills it each time: the run fails before its time is up", async () => {
    const [agent, stream] = await ask(dying(Number.POSITIVE_INFINITY), true);
    expect(stream.data.at(-1)).toMatchObject({ done: true, code: "upstream_unavailable", node: "optimize" });
    const ids = callsOf(agent, "PRICE_OPTIMIZATION").map(({ body }) => body.request_id);
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(6);
  });

  test("of a simple ask, whose text its reader has half of: the run fails", async () => {
    const [agent, stream] = await ask(dying(1), false);
    expect(stream.data.at(-1)).toMatchObject({ done: true, code: "upstream_unavailable" });
    expect(callsOf(agent, "PRICE_OPTIMIZATION")).toHaveLength(1);
  });
});
