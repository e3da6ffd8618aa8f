import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { gatewayProcess, type TestGateway, testGateway } from "./support/gateway.ts";
import { GOOD_OUTPUTS } from "./support/mesh.ts";
import { ANN, decide, LEE, type LogEvent, pausedRun, startRun, toRest } from "./support/people.ts";
import { PROPOSED, PUBLISHING, publishingMesh, StoreView } from "./support/publishing.ts";
import { freePort, type RedisServer, testRedis } from "./support/redis.ts";
import {
  begin,
  type Call,
  callsOf,
  failing,
  finish,
  holding,
  type StandIn,
  standIn,
} from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
let redis: Pick<RedisServer, "url">;
let store: StoreView;
let agent: StandIn;
let notify: (call: Call) => unknown;
let manifest: object;

beforeAll(async () => {
  redis = keep(await testRedis());
  store = keep(new StoreView(redis.url));
  agent = keep(await standIn({ ...PUBLISHING, PRICE_EXPLANATION: (call) => notify(call) }));
  const mesh = publishingMesh(agent.url);
  const { publishing } = mesh.flows;
  const limits = { timeout_ms: 500, retries: 2, backoff_ms: 1 };
  const step = { task_type: "PRICE_EXPLANATION", inputs: {}, effect: "once" };
  manifest = {
    ...mesh,
    agents: {
      ...mesh.agents,
      notifier: { ...mesh.agents.explainer, limits },
      absent: { ...mesh.agents.explainer, limits, url: `http://127.0.0.1:${await freePort()}` },
    },
    flows: {
      ...mesh.flows,
      once: { steps: { notify: { agent: "notifier", ...step } }, goals: { explainer: ["notify"] } },
      absent: {
        timeout_ms: 500,
        steps: { notify: { agent: "absent", ...step } },
        goals: { explainer: ["notify"] },
      },
      // Publishes, and then tells somebody.
      telling: {
        ...publishing,
        steps: {
          ...publishing.steps,
          tell: { agent: "explainer", task_type: "PRICE_EXPLANATION", needs: ["publish"], inputs: {} },
        },
        goals: { publishing: ["tell"] },
      },
    },
  };
});

const started = (run: string) =>
  callsOf(agent, "PRICE_EXPLANATION").filter(({ body }) => body.workflow_id === run);

describe("an effect that may be asked for once only", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = keep(await testGateway({ manifest, redisUrl: redis.url }));
  });

  const endOf = async (run: string): Promise<LogEvent | undefined> => (await toRest(gateway, run)).at(-1);

  const unknown: Record<string, (call: Call) => unknown> = {
    "does not answer in its time": (call) => begin(call),
    "cuts the connection": (call) => call.res.destroy(),
    "cuts its stream": (call) => {
      begin(call);
      call.res.destroy();
    },
    "is stopped and cancels it": failing("CANCELLED", "The run was cancelled."),
    "answers with a server's error": (call) => call.res.writeHead(500).end(),
    "breaks the contract": (call) => call.res.writeHead(200, { "content-type": "text/html" }).end("<p>"),
  };

  test("fails the run where the agent says that it failed", async () => {
    notify = failing("NO_ADDRESS", "There is no address.");
    const run = await startRun(gateway, { flow: "once" });
    expect(await endOf(run)).toMatchObject({ type: "run_failed", data: { code: "invalid_inputs" } });
  });

  test.each(Object.keys(unknown))("is left for a person where the agent %s", async (defect) => {
    notify = unknown[defect] ?? begin;
    const run = await startRun(gateway, { flow: "once" });
    expect(await endOf(run)).toMatchObject({ type: "run_parked", data: { code: "outcome_unknown" } });
    expect(started(run)).toHaveLength(1);
  });

  test("fails the run where the agent was never reached", async () => {
    const run = await startRun(gateway, { flow: "absent" });
    expect(await endOf(run)).toMatchObject({ type: "run_failed", data: { code: "deadline_exceeded" } });
  });
});

test("what was published is not published again by the replica that carries the run on", async () => {
  const { handler, next } = holding();
  notify = handler;
  const options = { manifest, redisUrl: redis.url, env: { LEASE_MS: "1000" } };
  const one = use(await gatewayProcess(options));
  const run = await pausedRun(one, { flow: "telling" });
  await decide(one, run, "approve", LEE);
  await next();
  await until(async () => (await store.published(run.runId)).length > 0);
  one.child.kill("SIGKILL");
  await one.exited;
  const other = use(await testGateway(options));
  finish(await next(), GOOD_OUTPUTS.PRICE_EXPLANATION);
  const events = await toRest(other, run.runId, ANN, run.seq);
  expect(events.at(-1)).toMatchObject({ type: "run_finished", data: { status: "ok" } });
  expect(events.filter(({ node, type }) => node === "publish" && type === "step_finished")).toHaveLength(1);
  expect(await store.published(run.runId)).toMatchObject([{ payload: { payload: { prices: PROPOSED } } }]);
});
