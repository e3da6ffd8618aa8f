import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import type { IntentModel } from "../language/index.ts";
import { loadMesh, type Mesh } from "../mesh/index.ts";
import { learntIntents } from "./learnt-intents.ts";

/** A flow that counts and orders stock, whose goals have a few examples and keywords. */
const FLOW = {
  steps: {
    count: { agent: "stock", task_type: "COUNT", inputs: "request.inputs" },
    order: { agent: "stock", task_type: "ORDER", inputs: "request.inputs" },
  },
  goals: { count: ["count"], order: ["order"] },
  answer: "count",
};
const SLOTS = { top: { kind: "count", label: { en: "top", ko: "상위" } } };
const SERVICES = {
  count: {
    ...{ agent: "stock", task_type: "COUNT", keywords: ["count"] },
    examples: ["how many are in stock", "what is left in the warehouse", "재고가 몇 개야"],
  },
  order: {
    ...{ agent: "stock", task_type: "ORDER", keywords: ["reorder"] },
    examples: ["get more of what runs out", "buy new ones from the supplier", "모자란 것 주문해 줘"],
  },
};

function meshWith(flow: object, services: object): Mesh {
  const dir = mkdtempSync(join(tmpdir(), "interlock-mesh-"));
  const manifest = {
    agents: { stock: { url: "http://127.0.0.1:9", tasks: { COUNT: "Count.", ORDER: "Order." } } },
    flows: { stock: flow },
    services,
    models: { default: "rules", allow: ["rules"] },
    egress: { allow: ["127.0.0.0/8"] },
  };
  try {
    writeFileSync(join(dir, "mesh.yaml"), JSON.stringify(manifest));
    return loadMesh(join(dir, "mesh.yaml"), {});
  } finally {
    rmSync(dir, { recursive: true });
  }
}

async function learnt(flow: object, services: object): Promise<IntentModel | undefined> {
  const mesh = meshWith(flow, services);
  const [only] = mesh.flows.values();
  return only && (await learntIntents(only, mesh));
}

let model: IntentModel | undefined;
beforeAll(async () => {
  model = await learnt({ ...FLOW, slots: SLOTS }, SERVICES);
});

test.each([
  ["how many bolts are in stock?", "count", ["count"]],
  ["재고가 몇 개나 남았어?", "count", ["count"]],
  ["reorder them", "order", ["order"]],
  ["count the valves and reorder the bolts", "plan", ["count", "order"]],
  ["who won the match last night?", "general", []],
])("%s is for %s", (message, category, goals) => {
  const intent = model?.classify(message);
  expect({ ...intent, goals: intent?.goals.toSorted() }).toMatchObject({ category, goals });
});

test("probabilities are those of all goals and of nothing, together one", () => {
  const { probabilities = {}, confidence } = model?.classify("how many bolts are in stock?") ?? {};
  expect(Object.keys(probabilities).sort()).toEqual(["count", "general", "order"]);
  expect(Object.values(probabilities).reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9);
  expect(confidence).toBe(probabilities.count);
});

test("a flow without slots, or without words for its goals, stays with the keywords", async () => {
  expect(await learnt(FLOW, SERVICES)).toBeUndefined();
  const mute = {
    count: { agent: "stock", task_type: "COUNT" },
    order: { agent: "stock", task_type: "ORDER" },
  };
  expect(await learnt({ ...FLOW, slots: SLOTS }, mute)).toBeUndefined();
});
