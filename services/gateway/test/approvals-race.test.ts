import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { proposalHash } from "../src/approvals/proposal.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import type { Answer } from "./support/http.ts";
import { ANN, as, decide, get, LEE, type Paused, pausedRun, post, toRest } from "./support/people.ts";
import { PROPOSED, PUBLISHING, publishingMesh, RULE, StoreView } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
let store: StoreView;
let replicas: [TestGateway, TestGateway];

beforeAll(async () => {
  const redis = keep(await testRedis());
  const agent = keep(await standIn(PUBLISHING));
  store = keep(new StoreView(redis.url));
  const manifest = publishingMesh(agent.url);
  const { publish, ...steps } = manifest.flows.publishing.steps;
  const hasty = {
    ...manifest.flows.publishing,
    steps: { ...steps, publish: { ...publish, approval: { ...RULE, expires_in_s: 1 } } },
  };
  const options = { manifest: { ...manifest, flows: { ...manifest.flows, hasty } }, redisUrl: redis.url };
  replicas = [keep(await testGateway(options)), keep(await testGateway(options))];
});

type Kind = "approve" | "reject" | "cancel";

/** Everybody at once, each with an opinion and a replica. */
async function storm(run: Paused, kinds: readonly Kind[]): Promise<{ kind: Kind; answer: Answer }[]> {
  return await Promise.all(
    kinds.map(async (kind, n) => {
      const where = replicas[n % 2] ?? replicas[0];
      const who = as(`person-${n}`, kind === "cancel" ? "operator" : "pricing-lead");
      const answer =
        kind === "cancel"
          ? await post(where, `/api/v1/runs/${run.runId}/cancel`, undefined, who)
          : await decide(where, run, kind, who);
      return { kind, answer };
    }),
  );
}

const FIFTY: Kind[] = Array.from({ length: 50 }, (_, n) => (n % 3 === 1 ? "reject" : "approve"));

/** What has to hold whoever won. @returns who did */
async function settled(run: Paused, answers: readonly { kind: Kind; answer: Answer }[]) {
  const events = await toRest(replicas[1], run.runId, ANN, run.seq);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, n) => run.seq + 1 + n));
  const ends = events.filter(({ type }) => /^run_(finished|failed|cancelled)$/.test(type));
  expect(ends).toEqual([events.at(-1)]);
  const approval = (await get(replicas[0], `/api/v1/approvals/${run.approvalId}`, LEE)).json();
  const winner = approval.winner as { decision: string; by: string };
  const told = events.filter(({ type }) => type === "approval_decided");
  expect(told.map(({ data }) => [data.decision, data.by])).toEqual(
    winner.decision === "cancelled" ? [] : [[winner.decision, winner.by]],
  );
  for (const { kind, answer } of answers) {
    if (answer.status === 200) continue;
    expect([kind, answer.status]).toEqual([kind, 409]);
    if (kind !== "cancel") expect(answer.json()).toMatchObject({ code: "conflict", winner });
  }
  const decided = answers.filter(({ kind, answer }) => kind !== "cancel" && answer.status === 200);
  const resumed = events.filter(({ type }) => type === "step_started");
  const effects = await store.published(run.runId);
  const ok = ends[0]?.type === "run_finished" && ends[0].data.status === "ok";
  if (winner.decision === "approved") {
    expect(resumed.length).toBeLessThanOrEqual(1);
    if (ok) expect(effects).toHaveLength(1);
  } else expect([resumed, effects, ok]).toEqual([[], [], false]);
  expect(effects.length).toBeLessThanOrEqual(1);
  return { winner, decided };
}

describe("fifty people decide at once, on two replicas", () => {
  test("one wins, all others hear of the winner; the run goes on once, and takes effect once", async () => {
    for (let round = 0; round < 3; round++) {
      const run = await pausedRun(replicas[0], { flow: "publishing" });
      const answers = await storm(run, FIFTY);
      const { winner, decided } = await settled(run, answers);
      expect(decided).toHaveLength(1);
      expect(decided[0]?.answer.json()).toMatchObject(winner);
    }
  });

  test("some of them cancel the run instead: it ends once, and no decision is lost", async () => {
    const kinds = FIFTY.map((kind, n): Kind => (n % 5 === 0 ? "cancel" : kind));
    for (let round = 0; round < 3; round++) {
      const run = await pausedRun(replicas[0], { flow: "publishing" });
      const answers = await storm(run, round % 2 === 0 ? kinds : kinds.toReversed());
      const { winner, decided } = await settled(run, answers);
      expect(decided).toHaveLength(winner.decision === "cancelled" ? 0 : 1);
      // Whoever comes later hears the same.
      const late = await decide(replicas[1], run, "approve", LEE);
      expect(late).toMatchObject({ status: 409 });
      expect(late.json()).toMatchObject({ winner });
    }
  });

  test("as it expires: it is decided or expired, never both", async () => {
    const runs = await Promise.all([0, 1, 2].map(() => pausedRun(replicas[0], { flow: "hasty" })));
    await Promise.all(
      runs.map(async (run, n) => {
        const at = await get(replicas[0], `/api/v1/approvals/${run.approvalId}`, LEE);
        const expires = Date.parse(String(at.json().expires_at));
        // The last moment, by the store's clock; each run a little later than the one before.
        while ((await clock()) < expires - 10 + 5 * n) await sleep(1);
        const answers = await storm(run, FIFTY.slice(0, 30));
        const { winner, decided } = await settled(run, answers);
        expect(decided).toHaveLength(winner.decision === "expired" ? 0 : 1);
      }),
    );
  });
});

describe("an edit and an approval of it at the same moment", () => {
  const edits = [{ item_id: "A100", price: 11 }];
  const items = [...edits, PROPOSED[1]];
  const editing = async () => {
    const run = await pausedRun(replicas[0], { flow: "publishing" });
    // Whoever makes an edit knows what its hash is going to be.
    const edited = { ...run, hash: proposalHash(run.runId, "publish", items) };
    return { run, edited };
  };

  test("by one person: the edit is made, and never approved by its editor", async () => {
    for (let round = 0; round < 10; round++) {
      const { run, edited } = await editing();
      const [edit, ...approvals] = await Promise.all([
        decide(replicas[0], run, "edit", LEE, { edits }),
        ...Array.from({ length: 6 }, (_, n) =>
          decide(replicas[n % 2] ?? replicas[0], edited, "approve", LEE),
        ),
      ]);
      expect(edit.status).toBe(200);
      for (const { status } of approvals) expect([403, 409]).toContain(status);
      expect(await store.published(run.runId)).toEqual([]);
    }
  });

  test("by two: what is published is what the hash says", async () => {
    for (let round = 0; round < 10; round++) {
      const { run, edited } = await editing();
      const kim = as("kim", "pricing-lead");
      const both = [run, edited, run, edited];
      const [edit, ...approvals] = await Promise.all([
        decide(replicas[0], run, "edit", LEE, { edits }),
        ...both.map((seen, n) => decide(replicas[n % 2] ?? replicas[0], seen, "approve", kim)),
      ]);
      const won = approvals.findIndex(({ status }) => status === 200);
      if (won < 0) {
        expect(edit.status).toBe(200);
        expect((await decide(replicas[0], edited, "approve", kim)).status).toBe(200);
      }
      await toRest(replicas[1], run.runId, ANN, run.seq);
      const prices = won < 0 || both[won] === edited ? items : PROPOSED;
      expect(await store.published(run.runId)).toMatchObject([{ payload: { payload: { prices } } }]);
    }
  });
});

async function clock(): Promise<number> {
  const [seconds, micros] = await store.redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}
