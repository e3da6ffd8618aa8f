import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ANN, as, decide, LEE, pausedRun, post, startRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh, StoreView } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { callsOf, type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
let agent: StandIn;
let store: StoreView;
let gateway: TestGateway;
let file: string;

const GOOD = "SKU,Price now,Remark\nA100,10,x\nA200,14,\n";

beforeAll(async () => {
  const dir = mkdtempSync(join(tmpdir(), "interlock-tables-"));
  keep({ stop: () => rmSync(dir, { recursive: true, force: true }) });
  file = join(dir, "prices.csv");
  writeFileSync(file, GOOD);
  const { url: redisUrl } = keep(await testRedis());
  agent = keep(await standIn(PUBLISHING));
  store = keep(new StoreView(redisUrl));
  const mesh = publishingMesh(agent.url);
  const { allow_sample: _, ...publish } = mesh.flows.publishing.steps.publish;
  const fields = {
    item_id: { columns: ["sku"], needed: true },
    price: { columns: ["price now"], kind: "number", needed: true },
  };
  const publishing = {
    ...mesh.flows.publishing,
    steps: { ...mesh.flows.publishing.steps, publish },
    default_inputs: file,
    table: { rows: "items", fields, with: { currency: "EUR" } },
  };
  const manifest = { ...mesh, flows: { ...mesh.flows, publishing } };
  gateway = keep(await testGateway({ manifest, redisUrl }));
});

const NOTE =
  "prices.csv: 2 rows as items: SKU → item_id (text), Price now → price (number); not used: Remark; from the manifest: currency.";
const ITEMS = [
  { item_id: "A100", price: 10 },
  { item_id: "A200", price: 14 },
];
const lastInputs = () => callsOf(agent, "PRICE_OPTIMIZATION").at(-1)?.body.inputs;
const reload = () => post(gateway, "/api/v1/admin/reload", undefined, as("root", "admin"));

test("a run without inputs works with the table as with own data, and says how it was read", async () => {
  const paused = await pausedRun(gateway, { flow: "publishing" });
  expect(lastInputs()).toEqual({ items: ITEMS, currency: "EUR" });
  expect((await decide(gateway, paused, "approve", LEE)).status).toBe(200);
  const events = await toRest(gateway, paused.runId, ANN, paused.seq);
  expect(events.at(-1)).toMatchObject({ type: "run_finished", data: { warnings: [NOTE] } });
  expect(events.at(-1)?.data).not.toHaveProperty("sample");
  expect(await store.published(paused.runId)).toMatchObject([{ payload: { sample: false } }]);
});

test("own inputs take its place, and nothing is said of it", async () => {
  const paused = await pausedRun(gateway, { flow: "publishing", inputs: { items: [] } });
  expect(lastInputs()).toEqual({ items: [] });
  expect((await decide(gateway, paused, "reject", LEE)).status).toBe(200);
  const events = await toRest(gateway, paused.runId, ANN, paused.seq);
  expect(JSON.stringify(events)).not.toContain("prices.csv");
});

test("a reload reads it again; one that cannot be read is refused by file, line and column, and the mesh goes on", async () => {
  const session_id = randomUUID();
  writeFileSync(file, GOOD.replace(",10,", ",11,"));
  expect((await reload()).json()).toMatchObject({ changed: { files: { changed: [file] } } });
  await toRest(gateway, await startRun(gateway, { flow: "publishing", session_id }));
  expect(lastInputs()).toMatchObject({ items: [{ price: 11 }, { price: 14 }] });
  writeFileSync(file, GOOD.replace(",14,", ",dear,"));
  const refused = await reload();
  expect([refused.status, refused.json()]).toEqual([
    expect.any(Number),
    expect.objectContaining({
      code: "invalid_manifest",
      problems: [
        expect.stringMatching(
          /flows\.publishing\.default_inputs: .*prices\.csv:3:6: Price now \(price\) is a text, and must be a number such as 12\.50$/,
        ),
      ],
    }),
  ]);
  expect(JSON.stringify(refused.json())).not.toContain("dear");
  await toRest(gateway, await startRun(gateway, { flow: "publishing" }));
  expect(lastInputs()).toMatchObject({ items: [{ price: 11 }, { price: 14 }] });
});
