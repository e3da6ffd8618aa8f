import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
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

describe("POST /api/v1/tables", () => {
  const asked = async (body: object, who = ANN) => await post(gateway, "/api/v1/tables", body, who);
  const read = async (body: object) => (await asked(body)).json();

  test("reads a table of the caller's as the manifest's is read, and keeps nothing of it", async () => {
    const calls = callsOf(agent, "PRICE_OPTIMIZATION").length;
    expect(await read({ csv: GOOD, name: "prices.csv" })).toEqual({
      flow: "publishing",
      flows: ["publishing"],
      fields: [
        { field: "item_id", needed: true },
        { field: "price", needed: true },
      ],
      columns: [
        { field: "item_id", column: "SKU", kind: "text" },
        { field: "price", column: "Price now", kind: "number" },
      ],
      unused: ["Remark"],
      rows: 2,
      inputs: { items: ITEMS, currency: "EUR" },
      note: { en: NOTE, ko: expect.stringContaining("2행을 items로 읽음") },
    });
    expect(callsOf(agent, "PRICE_OPTIMIZATION")).toHaveLength(calls);
  });

  test("says by field, line and kind what keeps a table from being read, and which columns it knows", async () => {
    const reading = await read({ csv: "SKU;Dear\nA100;10,5\nA200;much\n" });
    expect(reading).toMatchObject({
      columns: [{ field: "item_id", column: "SKU" }],
      unused: ["Dear"],
      problems: [
        {
          line: 1,
          column: 1,
          lacks: "price",
          text: { ko: "price에 맞는 열이 없습니다. 있는 열: SKU, Dear" },
        },
      ],
    });
    expect(reading).not.toHaveProperty("inputs");
    const said = await read({ csv: "SKU;Dear\nA100;10,5\nA200;much\n", columns: { price: "Dear" } });
    expect(said.problems).toEqual([
      {
        line: 3,
        column: 6,
        text: {
          en: "Dear (price) is a text, and must be a number such as 12.50",
          ko: "Dear (price): 글자입니다. 12.50 같은 숫자여야 합니다",
        },
      },
    ]);
    expect(JSON.stringify(said)).not.toContain("much");
    expect(await read({ csv: "SKU;Dear\nA100;10,5\n", columns: { price: "Dear" } })).toMatchObject({
      inputs: { items: [{ item_id: "A100", price: 10.5 }] },
    });
  });

  test("a column that is said to be for nothing is not used", async () => {
    expect(await read({ csv: GOOD, columns: { price: null } })).toMatchObject({
      unused: ["Price now", "Remark"],
      problems: [{ lacks: "price" }],
    });
  });

  test("of more lines than may be answered at once is refused", async () => {
    const refused = await asked({ csv: `SKU\n${"A\n".repeat(20_000)}` });
    expect([refused.status, refused.json().error]).toEqual([400, "The table has more than 20000 lines."]);
  });

  test("is for those who may use a flow that takes one", async () => {
    const refused = await asked({ csv: GOOD }, as("vic", "viewer"));
    expect([refused.status, refused.json().code]).toEqual([403, "forbidden"]);
    expect((await asked({ csv: GOOD, flow: "pricing" })).status).toBe(400);
  });
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
