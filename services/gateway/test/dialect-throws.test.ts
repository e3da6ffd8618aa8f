import { randomUUID } from "node:crypto";
import { mock } from "node:test";
import { beforeAll, expect, test } from "@jest/globals";
import { DIALECTS } from "../src/dialects/index.ts";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { event, finish, holding, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
const use = closing();
const optimizer = holding();
let gateway: TestGateway;

beforeAll(async () => {
  const redis = keep(await testRedis());
  const agent = keep(await standIn({ PRICE_OPTIMIZATION: optimizer.handler }));
  gateway = keep(await testGateway({ manifest: pricingMesh(agent.url), redisUrl: redis.url }));
});

test("a dialect that throws ends its own stream; the run and its other readers go on", async () => {
  const { open } = DIALECTS.chat;
  const spy = mock.method(
    DIALECTS.chat,
    "open",
    (...stream: Parameters<typeof open>): ReturnType<typeof open> => {
      const encoder = open(...stream);
      return {
        frame(stored, last) {
          if (stored.json.includes("poison")) throw new Error("secret");
          return encoder.frame(stored, last);
        },
      };
    },
  );
  use({ stop: () => spy.mock.restore() });
  const live = await EventReader.open(`${gateway.url}/api/v1/chat?stream=true&on_disconnect=continue`, {
    body: { message: "Propose new prices", session_id: randomUUID() },
  });
  const call = await optimizer.next();
  const events = `${gateway.url}/api/v1/runs/${live.headers["x-run-id"]}/events`;
  const [stored, other] = [await EventReader.open(`${events}?dialect=chat`), await EventReader.open(events)];
  call.res.write(event("progress", { step: "poison" }));
  // Both are over before the run is: what they had is kept, and the next event is not sent.
  for (const stream of [live, stored]) {
    await stream.over;
    expect(stream.data.length).toBeGreaterThan(0);
    expect(stream.text).not.toContain('"done":true');
  }
  finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
  expect(await other.over).toBe("ended");
  expect(other.frames.at(-1)?.event).toBe("run_finished");
  expect((await ask(`${gateway.url}/healthz`)).status).toBe(200);
  expect(gateway.logs()).toContain('"where":"stream","cause":"Error"');
  expect(gateway.logs()).not.toContain("secret");
});
