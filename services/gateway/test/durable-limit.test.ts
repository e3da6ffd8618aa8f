import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { GOOD_OUTPUTS } from "./support/mesh.ts";
import { ANN, get, startRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh, StoreView } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { answering, begin, type Call, event, finish, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
const LIMIT = 8_192;
let gateway: TestGateway;
let store: StoreView;
let optimize: (call: Call) => unknown;

beforeAll(async () => {
  const redis = keep(await testRedis());
  store = keep(new StoreView(redis.url));
  const agent = keep(await standIn({ ...PUBLISHING, PRICE_OPTIMIZATION: (call) => optimize(call) }));
  const manifest = publishingMesh(agent.url);
  const { optimize: first, publish } = manifest.flows.publishing.steps;
  const { approval: _, ...unapproved } = publish;
  const bare = {
    steps: { optimize: first, publish: { ...unapproved, after: [] } },
    goals: { publishing: ["publish"] },
  };
  gateway = keep(
    await testGateway({
      manifest: { ...manifest, flows: { ...manifest.flows, bare } },
      redisUrl: redis.url,
      env: { MAX_RUN_BYTES: String(LIMIT) },
    }),
  );
});

/** Progress of about `bytes` in the run's log. */
const progress = (bytes: number) => event("progress", { note: "x".repeat(bytes) });

async function expectOutputLimit(run: string): Promise<void> {
  const events = await toRest(gateway, run);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.at(-1)).toMatchObject({ type: "run_failed", data: { code: "output_limit" } });
  expect((await get(gateway, `/api/v1/runs/${run}`, ANN)).json()).toMatchObject({ state: "failed" });
  expect(await store.published(run)).toEqual([]);
}

describe("a run that writes more than it may", () => {
  test.each([
    ["one large event", [LIMIT]],
    ["many small ones", Array.from({ length: 200 }, () => 80)],
    ["many that are small, and then an answer", Array.from({ length: 60 }, () => 60)],
  ])("by %s fails with output_limit, and its log has no gap", async (_, sizes) => {
    optimize = async (call) => {
      begin(call);
      for (const size of sizes) {
        call.res.write(progress(size));
        // Each on its own, so that the limit is met by any of them.
        await new Promise((resolve) => setImmediate(resolve));
      }
      finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
    };
    await expectOutputLimit(await startRun(gateway, { flow: "bare" }));
  });

  // The end is refused together with, or behind, the event that was too much, at whichever byte that is.
  test("ends, wherever the limit falls", async () => {
    for (let last = 6_000; last < LIMIT; last += 97) {
      optimize = (call) => {
        begin(call, progress(last));
        finish(call, { ...GOOD_OUTPUTS.PRICE_OPTIMIZATION });
      };
      const run = await startRun(gateway, { flow: "bare", session_id: randomUUID() });
      const end = (await toRest(gateway, run)).at(-1);
      const published = await store.published(run);
      if (end?.type === "run_finished") expect(published).toHaveLength(1);
      else {
        expect(end).toMatchObject({ type: "run_failed", data: { code: "output_limit" } });
        expect(published).toEqual([]);
      }
    }
  });

  test("leaves the others alone", async () => {
    optimize = answering(GOOD_OUTPUTS.PRICE_OPTIMIZATION);
    const run = await startRun(gateway, { flow: "bare" });
    expect((await toRest(gateway, run)).at(-1)).toMatchObject({ type: "run_finished" });
  });
});
