import { beforeAll, expect, test } from "@jest/globals";
import { canonicalJson, sha256 } from "../src/canonical-json.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type GatewayProcess, gatewayProcess } from "./support/gateway.ts";
import { ANN, decide, get, KIM, LEE, pausedRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh, StoreView } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { answering, standIn } from "./support/stand-in.ts";

/** More than a megabyte, which stays text on its way. Members are not in the order in which they are hashed. */
const PROPOSED = Array.from({ length: 20_000 }, (_, n) => ({
  price: n / 7,
  item_id: `Ä-${n}`,
  note: '"}] is a note of some length',
}));

const keep = closingAtEnd();
let gateway: GatewayProcess;
let store: StoreView;

beforeAll(async () => {
  const { url: redisUrl } = keep(await testRedis());
  const agent = keep(
    await standIn({
      ...PUBLISHING,
      PRICE_OPTIMIZATION: answering({ items: PROPOSED }),
      POLICY_CHECK: answering({ passed: true }),
    }),
  );
  store = keep(new StoreView(redisUrl));
  const manifest = publishingMesh(agent.url);
  const limits = { max_event_bytes: 16 * 1024 * 1024 };
  const agents = { ...manifest.agents, optimizer: { ...manifest.agents.optimizer, limits } };
  gateway = keep(await gatewayProcess({ manifest: { ...manifest, agents }, redisUrl }));
});

const hashOf = (run: string, proposal: unknown) => sha256(canonicalJson({ run, step: "publish", proposal }));
const paused = () => pausedRun(gateway, { flow: "publishing", inputs: { items: PROPOSED.slice(0, 5_000) } });
const view = async (id: string) => (await get(gateway, `/api/v1/approvals/${id}`, LEE)).json();
const editsOf = (items: typeof PROPOSED) => items.map(({ item_id, price }) => ({ item_id, price }));
const prices = async (run: string) =>
  (await store.published(run)).map(({ payload }) => Reflect.get(Object(payload.payload), "prices"));

test("a large proposal is shown as it is hashed, and published as it was approved", async () => {
  const run = await paused();
  expect(run.hash).toBe(hashOf(run.runId, PROPOSED));
  expect(await view(run.approvalId)).toMatchObject({ proposal_hash: run.hash, proposal: PROPOSED });
  expect((await decide(gateway, run, "approve", LEE)).status).toBe(200);
  expect((await toRest(gateway, run.runId, ANN, run.seq)).at(-1)).toMatchObject({ type: "run_finished" });
  expect(await prices(run.runId)).toEqual([PROPOSED]);
});

test("a large proposal is edited: the edit is hashed, shown and published, and one without effect is refused", async () => {
  const run = await paused();
  const same = await decide(gateway, run, "edit", LEE, { edits: editsOf(PROPOSED) });
  expect([same.status, same.json().code]).toEqual([400, "invalid_request"]);
  const items = PROPOSED.map((item) => ({ ...item, price: 5 }));
  const edited = await decide(gateway, run, "edit", LEE, { edits: editsOf(items) });
  expect(edited.json()).toMatchObject({ proposal_hash: hashOf(run.runId, items) });
  expect(await view(run.approvalId)).toMatchObject({ proposal: items });
  const again = { ...run, hash: String(edited.json().proposal_hash) };
  expect((await decide(gateway, again, "approve", KIM)).status).toBe(200);
  expect((await toRest(gateway, run.runId, ANN, run.seq)).at(-1)).toMatchObject({ type: "run_finished" });
  expect(await prices(run.runId)).toEqual([items]);
});
