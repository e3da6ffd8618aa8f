import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { keysOf } from "../src/store/keys.ts";
import { SessionStore } from "../src/store/session-store.ts";
import { closing, closingAtEnd } from "./support/closing.ts";
import {
  chat,
  checkpoint,
  dialogueMesh,
  dialoguesOf,
  endOf,
  orderAnswer,
  say,
  turnOf,
} from "./support/dialogue.ts";
import { gatewayProcess, testGateway } from "./support/gateway.ts";
import { ANN, get, toRest } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { answering, type Call, finish, gone, holding, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
const KEYS = keysOf("default");
const { handler, next } = holding();
const usual = answering(orderAnswer);
let order: (call: Call) => unknown = usual;
let agent: StandIn;
let redisUrl: string;
let store: SessionStore;

beforeAll(async () => {
  redisUrl = keep(await testRedis()).url;
  const redis = new Redis(redisUrl);
  keep({ stop: () => redis.disconnect() });
  store = new SessionStore(redis);
  agent = keep(await standIn({ ORDER_TURN: (call) => order(call) }));
});

/** Leases are short, so that one that ran out is noticed soon. */
const options = () => ({ manifest: dialogueMesh(agent.url), redisUrl, env: { LEASE_MS: "1000" } });

const SENT = { stage: "SENT", items: ["tea"] };

test("a turn whose gateway is killed is interrupted; the state that its agent told of is kept, once", async () => {
  const one = use(await gatewayProcess(options()));
  const other = use(await testGateway(options()));
  const id = randomUUID();
  order = usual;
  await say(one, id, "order tea");
  order = handler;
  const stream = await chat(one, id, "order done");
  const run = String(stream.headers["x-run-id"]);
  const call = await next();
  call.res.write(checkpoint(SENT, [{ id: "item-0", kind: "order", item: "tea" }]));
  await until(async () => (await store.dialogue(KEYS, id, "order"))?.version === 2);
  one.child.kill("SIGKILL");
  expect(await stream.over).toBe("cut");

  expect(endOf(await toRest(other, run))).toMatchObject({ code: "interrupted", retryable: true });
  expect(await dialoguesOf(other, id)).toEqual([
    { service: "order", stage: "SENT", next_action: "ASK", version: 2 },
  ]);
  // The user says it again: the agent goes on from what it had told of, and the effect is not listed twice.
  order = (again) => {
    expect(turnOf(again).state).toEqual(SENT);
    return usual(again);
  };
  expect(endOf(await say(other, id, "order done"))).toMatchObject({
    status: "ok",
    dialogue: { next_action: "DONE", version: 3 },
  });
  expect(await store.completed(KEYS, id)).toMatchObject([{ id: "item-0", run_id: run }]);
});

test("a turn whose gateway is killed before its agent told of anything leaves the state as it was", async () => {
  const one = use(await gatewayProcess(options()));
  const other = use(await testGateway(options()));
  const id = randomUUID();
  order = usual;
  await say(one, id, "order tea");
  order = handler;
  const stream = await chat(one, id, "order done");
  await next();
  one.child.kill("SIGKILL");
  await stream.over;
  await toRest(other, String(stream.headers["x-run-id"]));
  expect(await dialoguesOf(other, id)).toMatchObject([{ stage: "FILLING", version: 1 }]);
});

test("a gateway that is frozen past its lease writes no state any more, neither in the middle nor at the end", async () => {
  const frozen = use(await gatewayProcess(options()));
  const other = use(await testGateway(options()));
  const id = randomUUID();
  order = usual;
  await say(frozen, id, "order tea");
  order = handler;
  const stream = await chat(frozen, id, "order done");
  const run = String(stream.headers["x-run-id"]);
  const late = await next();
  frozen.child.kill("SIGSTOP");
  expect(endOf(await toRest(other, run))).toMatchObject({ code: "interrupted" });
  order = usual;
  await say(other, id, "order cake");
  late.res.write(checkpoint({ stage: "LATE", items: [] }));
  finish(late, { state: { stage: "LATE", items: [] }, message: "Late.", next_action: "DONE" });
  frozen.child.kill("SIGCONT");
  await Promise.race([gone(late), stream.over]);
  await stream.over;
  expect(await dialoguesOf(other, id)).toEqual([
    { service: "order", stage: "FILLING", next_action: "ASK", version: 2 },
  ]);
  expect((await get(other, `/api/v1/runs/${run}`, ANN)).json()).toMatchObject({ state: "failed" });
});
