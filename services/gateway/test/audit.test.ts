import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { auditTenant } from "../../../scripts/lib/audit.ts";
import { verifyChain } from "../../../scripts/lib/audit-chain.ts";
import { Audit, type AuditOutcome, type SecurityNote } from "../src/audit/index.ts";
import { AuditLog } from "../src/store/audit-log.ts";
import { connect } from "../src/store/redis.ts";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { as, decide, get, pausedRun, post, startRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh, StoreView } from "./support/publishing.ts";
import { startRedis, testRedis } from "./support/redis.ts";
import { standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
let redisUrl: string;
let view: StoreView;

beforeAll(async () => {
  ({ url: redisUrl } = keep(await testRedis()));
  view = keep(new StoreView(redisUrl));
});

type Entry = Record<string, unknown> & { act?: string; count?: number };

async function entriesOf(tenant: string, store = view): Promise<Entry[]> {
  const all = await store.redis.xrange(`il:{${tenant}}:audit`, "-", "+");
  return all.map(([, [, entry = "{}"]]) => JSON.parse(entry)).filter(({ act }) => act !== undefined);
}

/** The writer of one replica. */
function writer(url = redisUrl, windowMs = 60_000) {
  const redis = connect(url, () => undefined);
  const outcomes: Record<AuditOutcome, number> = { written: 0, failed: 0, lost: 0 };
  const audit = new Audit({
    log: new AuditLog(redis.commands),
    observe: (outcome, entries) => {
      outcomes[outcome] += entries;
    },
    onTrouble: () => undefined,
    windowMs,
  });
  return use({
    audit,
    outcomes,
    async stop() {
      await audit.close();
      await redis.close();
    },
  });
}

const note = (tenant: string, more: Partial<SecurityNote> = {}): SecurityNote => ({
  act: "permission_refused",
  caller: { tenant, issuer: "local", subject: "ann" },
  resource: "GET /api/v1/runs/:id r1",
  code: "forbidden",
  address: "192.0.2.1",
  ...more,
});

describe("acts of security", () => {
  test("that are alike are counted, so that a flood makes few entries", async () => {
    const tenant = randomUUID();
    const { audit, outcomes } = writer();
    for (let n = 0; n < 5_000; n++) audit.note(note(tenant));
    // One that closes does not wait for a store that is slow.
    await until(() => outcomes.written === 1);
    await audit.close();
    const entries = await entriesOf(tenant);
    expect(entries).toMatchObject([
      { act: "permission_refused", by: "local:ann", from: "192.0.2.1", code: "forbidden", count: 1 },
      { act: "permission_refused", count: 4_999, until: expect.any(String) },
    ]);
  });

  test("that go on are told again when a window ends", async () => {
    const tenant = randomUUID();
    const { audit } = writer(redisUrl, 100);
    for (let n = 0; n < 3; n++) audit.note(note(tenant));
    await until(async () => (await entriesOf(tenant)).length === 2);
    // Once nothing happens, the next one is a first one again.
    await new Promise((resolve) => setTimeout(resolve, 500));
    audit.note(note(tenant));
    await until(async () => (await entriesOf(tenant)).length === 3);
    expect((await entriesOf(tenant)).map(({ count }) => count)).toEqual([1, 2, 1]);
  });

  test("from too many places are counted without their places; those of other kinds are not lost among them", async () => {
    const tenant = randomUUID();
    const { audit, outcomes } = writer();
    for (let n = 0; n < 900; n++) audit.note(note(tenant, { address: `2001:db8::${n}` }));
    audit.note(note(tenant, { act: "foreign_access", resource: "session s1" }));
    await audit.close();
    const entries = await entriesOf(tenant);
    const sum = (some: Entry[]) => some.reduce((total, { count = 0 }) => total + count, 0);
    expect(entries.length).toBeLessThan(120);
    expect(sum(entries.filter(({ act }) => act === "permission_refused"))).toBe(900);
    expect(entries.filter(({ others }) => others).length).toBeGreaterThan(0);
    expect(entries).toContainEqual(
      expect.objectContaining({ act: "foreign_access", resource: "session s1", by: "local:ann" }),
    );
    expect(outcomes).toEqual({ written: entries.length, failed: 0, lost: 0 });
  });

  test("of several replicas at once make one unbroken chain", async () => {
    const tenant = randomUUID();
    const replicas = [writer(), writer(), writer()];
    for (let n = 0; n < 40; n++)
      for (const [at, { audit }] of replicas.entries()) {
        audit.note(note(tenant, { resource: `session ${at}-${n}` }));
        if (n % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    await Promise.all(replicas.map(({ audit }) => audit.close()));
    const { broken, entries } = await verifyChain(view.redis, tenant);
    expect([broken, entries]).toEqual([undefined, 120]);
  });

  test("wait for a store that is away, a bounded number of them", async () => {
    const store = use(await startRedis());
    const { audit, outcomes } = writer(store.url);
    await store.kill();
    for (let n = 0; n < 30; n++)
      for (let other = 0; other < 90; other++) audit.note(note(`t${n}`, { resource: `session ${other}` }));
    expect(outcomes.lost).toBe(30 * 90 - 1_000);
    await until(() => outcomes.failed > 0);
    await store.restart();
    await until(() => outcomes.written >= 1_000);
    const there = use(new StoreView(store.url));
    expect((await entriesOf("t0", there)).length).toBe(90);
  });
});

describe("a gateway", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    const agent = keep(await standIn(PUBLISHING));
    gateway = keep(await testGateway({ manifest: publishingMesh(agent.url), redisUrl }));
  });

  test("notes who was refused what, from where, and nothing that was sent", async () => {
    const tenant = randomUUID();
    const ann = as("ann", "pricing-lead", tenant);
    const run = await pausedRun(gateway, { flow: "publishing" }, ann);
    const marker = `marker-${randomUUID()}`;
    const refused = await decide(gateway, run, "approve", ann, { note: marker });
    expect(refused.status).toBe(403);
    await until(async () => (await entriesOf(tenant)).length > 0);
    expect(await entriesOf(tenant)).toEqual([
      {
        id: expect.any(String),
        act: "permission_refused",
        at: expect.any(String),
        by: expect.stringMatching(/^\w+:ann$/),
        code: "forbidden",
        count: 1,
        from: "127.0.0.1",
        resource: `POST /api/v1/approvals/:id/decision ${run.approvalId}`,
      },
    ]);
    const foreign = { "x-forwarded-for": marker };
    expect((await get(gateway, `/api/v1/runs/${marker}`, foreign)).status).toBe(401);
    expect((await post(gateway, "/api/v1/runs", { flow: marker }, foreign)).status).toBe(401);
    await until(async () => (await entriesOf("@mesh")).length > 0);
    const all = JSON.stringify([await entriesOf("@mesh"), await entriesOf(tenant)]);
    expect(all).toContain('"act":"token_refused"');
    expect(all).not.toContain(marker);
    for (const one of [tenant, "@mesh"])
      expect(await auditTenant(view.redis, one)).toMatchObject({ problems: [] });
    expect((await get(gateway, "/metrics")).text).toMatch(
      /interlock_audit_entries_total\{outcome="written"\} [1-9]/,
    );
  });

  test("tell who read what another person owns", async () => {
    const tenant = randomUUID();
    const agent = use(await standIn(PUBLISHING));
    const gateway = use(await testGateway({ manifest: publishingMesh(agent.url), redisUrl }));
    const ann = as("ann", "", tenant);
    const session = randomUUID();
    const run = await startRun(gateway, { flow: "publishing", session_id: session }, ann);
    await toRest(gateway, run, ann);
    for (const path of [`/api/v1/runs/${run}`, `/api/v1/sessions/${session}`])
      for (const who of [ann, as("ola", "operator", tenant)])
        expect((await get(gateway, path, who)).status).toBe(200);
    await until(async () => (await entriesOf(tenant)).length === 2);
    expect(await entriesOf(tenant)).toEqual([
      expect.objectContaining({ act: "foreign_access", by: "test:ola", resource: `run ${run}` }),
      expect.objectContaining({ act: "foreign_access", by: "test:ola", resource: `session ${session}` }),
    ]);
    expect(await auditTenant(view.redis, tenant)).toMatchObject({ problems: [] });
  });
});
