import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { gatewayProcess, testGateway } from "./support/gateway.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { ANN, as, eventsOf, get, toRest } from "./support/people.ts";
import { freePort, startRedis, testRedis } from "./support/redis.ts";
import { chat, frontMesh, runOf, transcript } from "./support/remote.ts";
import { callsOf, event, finish, gone, holding, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
const { handler: explain, next: nextExplain } = holding();
let agent: StandIn;
let frontRedis: string;
let backRedis: string;
let database = 0;

/** Leases are short, so that one that ran out is noticed soon. */
const HASTY = { LEASE_MS: "1000" };
const ROOT = as("root", "admin");

// A gateway over there would go on with what another test has left.
beforeEach(() => {
  database++;
});

beforeAll(async () => {
  frontRedis = keep(await testRedis()).url;
  backRedis = keep(await startRedis()).url;
  agent = keep(await standIn({ PRICE_EXPLANATION: explain }));
});

/** A plan over there: it outlives the gateway that begins it. */
const PLAN = { message: "explain the drivers, full review" };
/** The explanation alone needs the other steps; a flow of one step stands for them. */
function backMesh() {
  const mesh = pricingMesh(agent.url);
  const explain = { agent: "explainer", task_type: "PRICE_EXPLANATION", inputs: {} };
  const report = { needs: ["explain"], render: { literal: "Explained." } };
  const flow = { steps: { explain, report }, goals: { explainer: ["explain"] }, answer: "report" };
  return { ...mesh, flows: { pricing: flow } };
}

const backOptions = (port: number) => ({
  manifest: backMesh(),
  redisUrl: `${backRedis}/${database}`,
  env: { ...HASTY, PORT: `${port}`, LOOP_SHED_MS: "60000" },
});

/** The runs over there of the session of a run here, and the log of the first, with the ids of the run here. */
async function there(front: { url: string }, back: { url: string }, run: string) {
  const session = (await get(front, `/api/v1/runs/${run}`, ANN)).json().session_id;
  const found = (await get(back, `/api/v1/runs?session_id=${session}`, ROOT)).json();
  const runs = found.runs as { run_id: string; state: string }[];
  const id = runs[0]?.run_id ?? "";
  return { runs, text: (await transcript(back, id, ROOT)).replaceAll(id, run) };
}

const calls = (from: number) => callsOf(agent, "PRICE_EXPLANATION").slice(from);

test("the remote gateway is killed in the middle and comes back: the run goes on to the same end", async () => {
  const port = await freePort();
  const back = use(await gatewayProcess(backOptions(port)));
  const front = use(await testGateway({ manifest: frontMesh(back.url), redisUrl: frontRedis }));
  const stream = await chat(front, PLAN);
  const call = await nextExplain();
  call.res.write(event("token", { text: "Cost " }));
  await stream.until((frames) => frames.some((frame) => frame.event === "token"));
  back.child.kill("SIGKILL");
  await gone(call);
  const again = use(await gatewayProcess(backOptions(port)));
  finish(await nextExplain(), GOOD_OUTPUTS.PRICE_EXPLANATION);
  expect(await stream.over).toBe("ended");
  expect(eventsOf(stream).at(-1)).toMatchObject({ type: "run_finished", data: { message: "Explained." } });
  const { runs, text } = await there(front, again, runOf(stream));
  expect(runs).toHaveLength(1);
  expect(stream.text).toBe(text);
});

test("the remote gateway is killed for good: the run fails honestly when the service's time is up", async () => {
  const back = use(await gatewayProcess(backOptions(await freePort())));
  const manifest = frontMesh(back.url, { timeout_ms: 8_000 });
  const front = use(await testGateway({ manifest, redisUrl: frontRedis }));
  const stream = await chat(front, PLAN);
  await nextExplain();
  await stream.until((frames) => frames.some((frame) => frame.event === "step_started"));
  back.child.kill("SIGKILL");
  expect(await stream.over).toBe("ended");
  const events = eventsOf(stream);
  expect(events.at(-1)).toMatchObject({
    type: "run_failed",
    data: { code: "upstream_unavailable", retryable: true, error: "The remote gateway is not available." },
  });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter(({ type }) => type.startsWith("run_"))).toHaveLength(2);
});

test("this gateway is killed in the middle: another replica goes on from its last event, with one run there", async () => {
  const port = await freePort();
  const back = use(await gatewayProcess(backOptions(port)));
  const identity = { identity: "none" };
  // Without a token the other gateway sees whoever calls from this machine.
  const options = { manifest: frontMesh(back.url, identity), redisUrl: frontRedis, env: HASTY };
  const killed = use(await gatewayProcess(options));
  const other = use(await testGateway(options));
  const before = calls(0).length;
  const stream = await chat(killed, PLAN);
  const call = await nextExplain();
  call.res.write(event("token", { text: "Cost " }));
  await stream.until((frames) => frames.some((frame) => frame.event === "token"));
  killed.child.kill("SIGKILL");
  expect(await stream.over).toBe("cut");
  call.res.write(event("token", { text: "drives " }));
  const run = runOf(stream);
  await until(
    async () => Number((await get(other, `/api/v1/runs/${run}`, ANN)).json().seq) > stream.frames.length,
  );
  finish(call, GOOD_OUTPUTS.PRICE_EXPLANATION);
  const events = await toRest(other, run);
  expect(events.at(-1)).toMatchObject({ type: "run_finished", data: { message: "Explained." } });
  const { runs, text } = await there(other, back, run);
  expect(runs).toHaveLength(1);
  expect(await transcript(other, run)).toBe(text);
  expect(text.startsWith(stream.text)).toBe(true);
  expect(calls(before)).toHaveLength(1);
});

test("a run whose caller's own token was in the killed gateway's memory ends honestly", async () => {
  const back = use(await gatewayProcess(backOptions(await freePort())));
  const options = { manifest: frontMesh(back.url), redisUrl: frontRedis, env: HASTY };
  const killed = use(await gatewayProcess(options));
  const other = use(await testGateway(options));
  const stream = await chat(killed, PLAN);
  await nextExplain();
  await stream.until((frames) => frames.some((frame) => frame.event === "step_started"));
  killed.child.kill("SIGKILL");
  const events = await toRest(other, runOf(stream));
  expect(events.at(-1)).toMatchObject({ type: "run_failed", data: { code: "interrupted", retryable: true } });
  expect(killed.logs() + other.logs()).not.toContain(ANN.authorization?.slice("Bearer ".length));
});
