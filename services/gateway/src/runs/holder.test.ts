import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "../../test/support/closing.ts";
import { GOOD_OUTPUTS, pricingMesh } from "../../test/support/mesh.ts";
import { testRedis } from "../../test/support/redis.ts";
import { type Call, finish, gone, holding, type StandIn, standIn } from "../../test/support/stand-in.ts";
import { storesOf } from "../../test/support/stores.ts";
import { HERE } from "../agents/test/agent.ts";
import { readConfig } from "../config.ts";
import { Edition } from "../edition.ts";
import { GatewayError } from "../errors.ts";
import { LargeValues, loadEdition } from "../mesh/index.ts";
import { EditionStore, EventLog, type RunOrder, SessionStore } from "../store/index.ts";
import { keysOf } from "../store/keys.ts";
import { type Connections, connect } from "../store/redis.ts";
import { Holder } from "./holder.ts";
import { LineageKeeping } from "./lineage-keeping.ts";
import { LiveRun } from "./live-run.ts";

const keep = closingAtEnd();
const config = readConfig({});
const keys = keysOf("holder-test");
const OWNER = { tenant: "holder-test", subject: "ann" };
const TARGETS: Record<string, RunOrder["target"]> = {
  ask: { kind: "service", service: "policy" },
  plan: { kind: "flow", flow: "pricing", goals: ["optimizer"] },
  mirror: { kind: "service", service: "elsewhere" },
};

const check = holding();
const optimize = holding();
let redis: Connections;
let stores: ReturnType<typeof storesOf>;
let agent: StandIn;
let edition: Edition;
let holder: Holder;

beforeAll(async () => {
  redis = connect(keep(await testRedis()).url, () => undefined);
  agent = keep(await standIn({ POLICY_CHECK: check.handler, PRICE_OPTIMIZATION: optimize.handler }));
  edition = editionOf(agent.url);
  stores = storesOf(redis.commands, config);
});

afterAll(async () => {
  await edition.close();
  await redis.close();
});

beforeEach(() => {
  holder = newHolder();
});

/** These runs call no tools. */
function unused(what: string): never {
  throw new Error(`${what} are not used`);
}

function newHolder(limits: { maxRuns?: number; leaseMs?: number } = {}): Holder {
  const { store, leases } = stores;
  return new Holder({
    editions: {
      current: edition,
      of: async () => {
        edition.enter();
        return edition;
      },
    },
    sessions: new SessionStore(redis.commands),
    readResult: (where, from) => store.result(where, from),
    ...{ store, leases },
    log: new EventLog(redis.log, config),
    maxRuns: 10,
    leaseMs: config.leaseMs,
    ...limits,
    slowWarningMs: 600_000,
    lineage: new LineageKeeping({ isKept: true }),
    tools: () => unused("tools"),
    may: () => false,
    roundsModel: () => unused("a model"),
    judge: () => unused("a schema"),
    whyUndecidable: () => undefined,
    decidersOf: () => [],
    onQueued: () => undefined,
    onRest: () => undefined,
  });
}

/** The mesh of the plans, with a service of another gateway, all of them at one address. */
function editionOf(url: string): Edition {
  const mesh = pricingMesh(url);
  // Nothing but the tests ends what the agent is at.
  mesh.agents.policy.limits = { ...mesh.agents.policy.limits, timeout_ms: 600_000 };
  const elsewhere = { remote: { url, identity: "none" }, keywords: ["elsewhere"] };
  const dir = mkdtempSync(join(tmpdir(), "interlock-holder-"));
  const file = join(dir, "mesh.yaml");
  writeFileSync(file, JSON.stringify({ ...mesh, services: { ...mesh.services, elsewhere } }));
  const loaded = loadEdition({
    file,
    env: {},
    large: new LargeValues({ largeTimeoutMs: 10_000, largeMemoryMb: 512 }),
    surroundings: { loopback: true },
  });
  rmSync(dir, { recursive: true });
  return new Edition(
    loaded,
    "manifest",
    {
      agents: { silenceMs: 600_000 },
      remotes: { gatewayId: "here", sign: () => "" },
      tools: { secret: () => undefined, isInjection: () => false },
      egressOf: () => HERE,
      store: new EditionStore(redis.commands),
    },
    () => undefined,
  );
}

function orderOf(target: RunOrder["target"]): RunOrder {
  return {
    message: "go",
    inputs: { items: [] },
    intent: "test",
    target,
    model: { hint: null, chosen: "rules", reason: "default" },
    ...{ subject: "ann", issuer: "local", roles: [] },
    edition: edition.hash,
  };
}

async function accepted(kind: keyof typeof TARGETS, claim: boolean) {
  const [id, sessionId] = [randomUUID(), randomUUID()];
  const order = orderOf(TARGETS[kind] ?? { kind: "general" });
  await stores.store.accept(keys, {
    ...{ runId: id, sessionId, order, claim },
    kind: kind === "ask" ? "ask" : "plan",
    events: [],
    whenBusy: "refuse",
  });
  const run = new LiveRun({
    ...{ id, sessionId, owner: "local:ann", keys, fence: 1, seq: 0 },
    log: new EventLog(redis.log, config),
    journaled: kind !== "ask",
  });
  return { id, run, order };
}

function placeIn(one: Holder) {
  const place = one.placeFor(OWNER);
  if (!place) throw new Error("no place");
  return place;
}

/** Begins a run as it is begun for a caller who follows it. */
async function begun(kind: keyof typeof TARGETS): Promise<LiveRun> {
  const { run, order } = await accepted(kind, true);
  holder.begin(run, order, placeIn(holder), edition);
  return run;
}

const stateOf = async (id: string) => (await stores.store.find(keys, id))?.state;
/** Another gateway is told the run in a header. */
const callsFor = (run: string): Call[] =>
  agent.calls.filter(({ text, headers }) => (text + JSON.stringify(headers)).includes(run));

describe("a run that is not begun yet asks nobody", () => {
  test.each(Object.keys(TARGETS))("once it is given up: %s", async (kind) => {
    const run = await begun(kind);
    holder.release(run.id);
    await holder.drain(60_000);
    expect([await run.done, run.signal.reason]).toMatchObject(["lost", { code: "cancelled" }]);
    expect(callsFor(run.id)).toEqual([]);
  });

  test("where its replica is stopped: the plan goes to another one", async () => {
    const run = await begun("plan");
    await holder.drain(60_000);
    expect([await run.done, await stateOf(run.id)]).toEqual(["lost", "resuming"]);
    expect(callsFor(run.id)).toEqual([]);
  });
});

describe("a replica that is stopped", () => {
  test("waits for a run that was on its way here", async () => {
    const place = placeIn(holder);
    const drained = holder.drain(60_000);
    const { run, order } = await accepted("ask", true);
    holder.begin(run, order, place, edition);
    finish(await check.next(), GOOD_OUTPUTS.POLICY_CHECK);
    await drained;
    expect(await stateOf(run.id)).toBe("finished");
  });

  test("hands over what comes to it only after the grace time", async () => {
    const place = placeIn(holder);
    const drained = holder.drain(0);
    // Timers of the same length go off in their order.
    await new Promise((resolve) => setTimeout(resolve, 0));
    const { run, order } = await accepted("ask", true);
    holder.begin(run, order, place, edition);
    await drained;
    expect([await run.done, await stateOf(run.id)]).toEqual(["lost", "resuming"]);
  });

  test("does not claim what it was about to claim", async () => {
    const { id } = await accepted("plan", false);
    const claiming = holder.claim(keys, id, 1);
    await holder.drain(60_000);
    await expect(claiming).rejects.toEqual(new GatewayError("draining"));
    expect(await stateOf(id)).toBe("queued");
  });
});

test("a run that comes back to its replica is given up under its earlier claim", async () => {
  const run = await begun("plan");
  const first = await optimize.next();
  // Its lease ran out while the replica could not renew it.
  await redis.commands.zadd(keys.leases, 1, run.id);
  expect(await stores.leases.requeue(keys, run.id)).toBe(true);
  const claimed = holder.claim(keys, run.id, 2);
  await gone(first);
  expect(await run.done).toBe("lost");
  expect((await optimize.next()).body.workflow_id).toBe(run.id);
  await holder.drain(0);
  expect(await claimed).toBe("executed");
});

test("a run that is taken away is noticed behind a thousand others, before leases are renewed", async () => {
  holder = newHolder({ maxRuns: 4_000, leaseMs: 600_000 });
  holder.start();
  // Not all at once, or a slow machine is late for the store.
  for (let group = 0; group < 20; group++) await Promise.all(Array.from({ length: 50 }, () => begun("plan")));
  const run = await begun("ask");
  const call = await check.next();
  // It has nothing more to write, which would tell it.
  await run.flushed();
  expect(await stores.leases.requeue(keys, run.id, 1)).toBe(true);
  await gone(call);
  expect(await run.done).toBe("lost");
  await holder.drain(0);
});
