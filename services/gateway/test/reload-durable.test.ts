import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { gatewayProcess, testGateway } from "./support/gateway.ts";
import { GOOD_OUTPUTS } from "./support/mesh.ts";
import { as, decide, get, LEE, pausedRun, post, startRun, toRest, type Where } from "./support/people.ts";
import { PROPOSED, PUBLISHING, publishingMesh, RULE, StoreView } from "./support/publishing.ts";
import { type RedisServer, testRedis } from "./support/redis.ts";
import { answering, callsOf, finish, holding, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
const { handler: held, next } = holding();
let redis: Pick<RedisServer, "url">;
let agent: StandIn;
let store: StoreView;
/** Whether the sensitivity agent waits for the test. */
let holds = false;

beforeAll(async () => {
  redis = keep(await testRedis());
  store = keep(new StoreView(redis.url));
  const answers = answering(GOOD_OUTPUTS.SENSITIVITY_ANALYSIS);
  agent = keep(
    await standIn({ ...PUBLISHING, SENSITIVITY_ANALYSIS: (call) => (holds ? held(call) : answers(call)) }),
  );
});

/** What the runs of the tests begin with, and what is there when they go on: it publishes something else and knows no edits. */
const earlier = (url = agent.url) => publishingMesh(url);
function later(url = agent.url) {
  const mesh = publishingMesh(url);
  const { edit: _, ...rule } = RULE;
  const { publishing } = mesh.flows;
  const { publish, report } = publishing.steps;
  const steps = {
    ...publishing.steps,
    publish: { ...publish, publish: { later: true }, approval: rule },
    report: { ...report, render: { literal: "Of the later edition." } },
  };
  return { ...mesh, flows: { ...mesh.flows, publishing: { ...publishing, steps } } };
}

const HASTY = { LEASE_MS: "1000" };
const replica = async (manifest: object, env: Record<string, string> = HASTY) =>
  use(await testGateway({ manifest, redisUrl: redis.url, env }));
const process = async (manifest: object, env: Record<string, string> = HASTY) =>
  use(await gatewayProcess({ manifest, redisUrl: redis.url, env }));
const reload = (where: Where) => post(where, "/api/v1/admin/reload", undefined, as("root", "admin"));
const published = async (run: string) => (await store.published(run)).map(({ payload }) => payload.payload);

describe("a run that waits for a person goes on with the edition that it began with", () => {
  test("where the manifest was reloaded meanwhile; a new run begins with the new one", async () => {
    const gateway = await replica(earlier());
    const paused = await pausedRun(gateway, { flow: "publishing" });
    gateway.write(later());
    expect((await reload(gateway)).json()).toMatchObject({ changed: { flows: { changed: ["publishing"] } } });
    expect((await decide(gateway, paused, "approve", LEE)).status).toBe(200);
    const events = await toRest(gateway, paused.runId, undefined, paused.seq);
    expect(events.at(-1)).toMatchObject({ type: "run_finished", data: { message: "Published: true." } });
    expect(await published(paused.runId)).toEqual([{ prices: PROPOSED }]);

    const other = await pausedRun(gateway, { flow: "publishing" });
    expect((await decide(gateway, other, "approve", LEE)).status).toBe(200);
    const last = (await toRest(gateway, other.runId, undefined, other.seq)).at(-1);
    expect(last).toMatchObject({ data: { message: "Of the later edition." } });
    expect(await published(other.runId)).toEqual([{ later: true }]);
  });

  test("and is edited by its rules", async () => {
    const gateway = await replica(earlier());
    const paused = await pausedRun(gateway, { flow: "publishing" });
    gateway.write(later());
    expect((await reload(gateway)).status).toBe(200);
    const edits = [{ item_id: "A100", price: 11 }];
    const edited = await decide(gateway, paused, "edit", LEE, { edits });
    expect([edited.status, edited.json()]).toEqual([200, expect.objectContaining({ decision: "edited" })]);
    const other = await pausedRun(gateway, { flow: "publishing" });
    expect((await decide(gateway, other, "edit", LEE, { edits })).status).toBe(400);
  });

  test("where all gateways were killed, and started again with another manifest", async () => {
    const before = await process(earlier());
    const waiting = [
      await pausedRun(before, { flow: "publishing" }),
      await pausedRun(before, { flow: "publishing" }),
    ];
    before.child.kill("SIGKILL");
    await before.exited;
    const after = await replica(later());
    // One after the other: the second finds that the first has left the edition.
    for (const paused of waiting) {
      expect((await decide(after, paused, "approve", LEE)).status).toBe(200);
      const events = await toRest(after, paused.runId, undefined, paused.seq);
      expect(events.at(-1)).toMatchObject({ type: "run_finished", data: { message: "Published: true." } });
      expect(await published(paused.runId)).toEqual([{ prices: PROPOSED }]);
      await until(async () => (await get(after, "/metrics")).text.includes("interlock_open_editions 1\n"));
    }
  });

  test("and cannot be approved where that cannot be used any more: a variable is missing, or its sources are gone", async () => {
    const named = `\${${"AGENTS"}}`;
    const before = await process(earlier(named), { ...HASTY, AGENTS: agent.url });
    const [one, two] = [
      await pausedRun(before, { flow: "publishing" }),
      await pausedRun(before, { flow: "publishing" }),
    ];
    before.child.kill("SIGKILL");
    await before.exited;
    const after = await replica(later());
    const refused = async (paused: typeof one) => {
      const answer = await decide(after, paused, "approve", LEE);
      expect([answer.status, answer.json()]).toEqual([
        410,
        expect.objectContaining({ code: "edition_gone" }),
      ]);
      expect((await decide(after, paused, "reject", LEE)).status).toBe(200);
    };
    await refused(one);
    const keys = await store.redis.keys("il:edition:*");
    await store.redis.del(...keys);
    await refused(two);
    expect([await published(one.runId), await published(two.runId)]).toEqual([[], []]);
  });
});

test("a replica that is killed after a reload leaves its runs of both editions to one that has only ever loaded the later", async () => {
  holds = true;
  const one = await process(earlier());
  const old = await startRun(one, { flow: "publishing" });
  await next();
  one.write(later());
  expect((await reload(one)).status).toBe(200);
  const young = await startRun(one, { flow: "publishing" });
  await next();
  one.child.kill("SIGKILL");
  await one.exited;
  const two = await replica(later());
  for (const _ of [old, young]) finish(await next(), GOOD_OUTPUTS.SENSITIVITY_ANALYSIS);
  holds = false;
  for (const [run, message, book] of [
    [old, "Published: true.", { prices: PROPOSED }],
    [young, "Of the later edition.", { later: true }],
  ] as const) {
    const pause = (await toRest(two, run)).at(-1);
    const { id = "", proposal_hash: hash = "" } = pause?.data.approval ?? {};
    expect((await decide(two, { approvalId: id, hash }, "approve", LEE)).status).toBe(200);
    expect((await toRest(two, run, undefined, pause?.seq)).at(-1)).toMatchObject({ data: { message } });
    expect(await published(run)).toEqual([book]);
  }
  expect(callsOf(agent, "PRICE_OPTIMIZATION").filter(({ body }) => body.workflow_id === old)).toHaveLength(1);
});
