import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatFor, readCatalogue } from "@interlock/pricing";
import { afterAll, expect, test } from "@jest/globals";
import { loadMesh } from "../services/gateway/src/mesh/index.ts";
import { root } from "./lib/paths.ts";

const folder = mkdtempSync(join(tmpdir(), "interlock-tables-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a catalogue that the manifest names is what POST /api/v1/catalogue makes of it", () => {
  const csv = `SKU,Grade,List Price,Cost,Units,Elasticity,Remark
A-1,premium,12,6.5,900,-2.4,x
A-1,standard,9,5.5,1400,-2.9,
B-2,premium,20,11,90,-1.8,y
`;
  writeFileSync(join(folder, "mine.csv"), csv);
  const domain = readFileSync(join(root, "services/pricing/domain.yaml"), "utf8")
    .replace("default_inputs: data/sample-catalogue.json", `default_inputs: ${join(folder, "mine.csv")}`)
    .replaceAll(/(?<=: |\[)(language|intents)\//g, `${join(root, "services/pricing")}/$1/`)
    .replaceAll(" intents/ko", ` ${join(root, "services/pricing")}/intents/ko`);
  writeFileSync(join(folder, "mesh.yaml"), domain);
  const flow = loadMesh(join(folder, "mesh.yaml"), {}).flows.get("pricing");
  expect(flow?.defaultInputs).toEqual(readCatalogue({ csv }, formatFor({})).inputs);
  expect(flow?.tableNote?.en).toBe(
    "mine.csv: 3 rows as 2 items: SKU → item_id (text), Grade → tier (text), List Price → current_price (number), Cost → unit_cost (number), Units → quantity (number), Elasticity → elasticity (number); not used: Remark; from the manifest: demand_model: constant_elasticity; tier_order: premium, standard.",
  );
});
