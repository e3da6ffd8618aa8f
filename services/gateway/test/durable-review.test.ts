import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { gatewayProcess, type TestGateway, testGateway } from "./support/gateway.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { ANN, get, post, startRun, toRest } from "./support/people.ts";
import { type RedisServer, testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { answering, callsOf, finish, holding, type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
const use = closing();
const { handler, next } = holding();
let redis: Pick<RedisServer, "url">;
let agent: StandIn;

beforeAll(async () => {
  redis = keep(await testRedis());
  agent = keep(
    await standIn({
      PRICE_OPTIMIZATION: answering(GOOD_OUTPUTS.PRICE_OPTIMIZATION),
      POLICY_CHECK: handler,
    }),
  );
});

/** A flow whose one step has an effect that the agent does, once or as often as it is asked with one key. */
function effectMesh(url: string) {
  const mesh = pricingMesh(url);
  const flow = (effect: object) => ({
    steps: {
      notify: { agent: "policy", task_type: "POLICY_CHECK", inputs: {}, ...effect },
      report: { needs: ["notify"], render: { literal: "Told." } },
    },
    goals: { policy: ["notify"] },
    answer: "report",
  });
  const effects = {
    once: flow({ effect: "once" }),
    repeatable: flow({ effect: "repeatable" }),
    plain: flow({}),
  };
  return { ...mesh, flows: { ...mesh.flows, ...effects } };
}

const options = () => ({
  manifest: effectMesh(agent.url),
  redisUrl: redis.url,
  env: { LEASE_MS: "1000", MAX_ATTEMPTS: "2" },
});
/** A replica that a test may kill, and one that nothing happens to. */
const replica = async () => use(await gatewayProcess(options()));
const survivor = async () => use(await testGateway(options()));

const asked = (run: string) => callsOf(agent, "POLICY_CHECK").filter(({ body }) => body.workflow_id === run);
const parkedOn = async (where: TestGateway) => {
  const page = (await get(where, "/api/v1/runs?state=needs_review", ANN)).json();
  return (page.runs as { run_id: string }[]).map(({ run_id }) => run_id);
};

/** One replica alone, so that it is known who holds the run; killed while the step is under way. */
async function killedAtStep(flow: string): Promise<string> {
  const doomed = await replica();
  const run = await startRun(doomed, { flow });
  await next();
  doomed.child.kill("SIGKILL");
  await doomed.exited;
  return run;
}

describe("an effect that was under way when its replica was killed", () => {
  test("and that must not be asked for again: the run is left for a person, who may cancel it", async () => {
    const run = await killedAtStep("once");
    const other = await survivor();
    const events = await toRest(other, run);
    expect(events.at(-1)).toMatchObject({
      type: "run_parked",
      data: { status: "needs_review", code: "outcome_unknown" },
    });
    expect(asked(run)).toHaveLength(1);
    expect(await parkedOn(other)).toEqual([run]);
    const chat = await EventReader.open(`${other.url}/api/v1/runs/${run}/events?dialect=chat`, {
      headers: ANN,
    });
    await chat.toEnd();
    expect(chat.data.at(-1)).toMatchObject({ done: true, status: "needs_review", code: "outcome_unknown" });

    expect((await post(other, `/api/v1/runs/${run}/cancel`, undefined, ANN)).status).toBe(200);
    expect(await parkedOn(other)).toEqual([]);
    expect((await toRest(other, run)).at(-1)).toMatchObject({ type: "run_cancelled" });
    expect(asked(run)).toHaveLength(1);
  });

  test("and that heeds its key: it is asked for again with the same one", async () => {
    const run = await killedAtStep("repeatable");
    const other = await survivor();
    finish(await next(), GOOD_OUTPUTS.POLICY_CHECK);
    expect((await toRest(other, run)).at(-1)).toMatchObject({ data: { status: "ok" } });
    expect(asked(run).map(({ headers }) => headers["idempotency-key"])).toEqual([
      `${run}:notify`,
      `${run}:notify`,
    ]);
  });
});

test("a run that kills every replica that begins it is left for a person; the queue moves on", async () => {
  const session_id = randomUUID();
  const first = await replica();
  const poison = await startRun(first, { flow: "plain", session_id });
  const behind = await post(first, "/api/v1/runs?multitask=enqueue", { flow: "plain", session_id }, ANN);
  expect(behind).toMatchObject({ status: 202 });
  await next();
  first.child.kill("SIGKILL");
  const second = await replica();
  await next();
  second.child.kill("SIGKILL");
  await second.exited;

  const third = await survivor();
  const events = await toRest(third, poison);
  expect(events.at(-1)).toMatchObject({
    type: "run_parked",
    data: { status: "needs_review", code: "too_many_attempts" },
  });
  expect(asked(poison)).toHaveLength(2);
  expect(await parkedOn(third)).toEqual([poison]);
  expect((await get(third, `/api/v1/runs/${poison}`, ANN)).json()).toMatchObject({
    state: "needs_review",
    attempts: 2,
  });
  // What waited behind it in the session, and whatever comes, is executed.
  finish(await next(), GOOD_OUTPUTS.POLICY_CHECK);
  const waited = await toRest(third, String(behind.json().run_id));
  expect(waited.at(-1)).toMatchObject({ type: "run_finished" });
  const later = await startRun(third, { flow: "plain", session_id });
  finish(await next(), GOOD_OUTPUTS.POLICY_CHECK);
  expect((await toRest(third, later)).at(-1)).toMatchObject({ type: "run_finished" });
});
