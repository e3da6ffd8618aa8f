import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { root } from "../../lib/paths.ts";
import { servicesFor } from "../../lib/services.ts";
import { asksOf } from "./asks-of.ts";
import { agentNames } from "./own-agents.ts";

const dir = mkdtempSync(join(tmpdir(), "interlock-asks-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const MANIFEST = `agents: { trips: { url: http://127.0.0.1:8090, tasks: { ESTIMATE: What a trip costs. } } }
flows: { trip: { steps: { price: { agent: trips, task_type: ESTIMATE, inputs: request.inputs } }, goals: { cost: [price] } } }
services:
  quiet: { agent: trips, task_type: ESTIMATE }
  estimate: { agent: trips, task_type: ESTIMATE, examples: [what's a trip to Oslo] }
  trip: { flow: trip, examples: [plan my trip] }
`;

test("a manifest of somebody's own: its examples, and none of the agents that ship", () => {
  const file = join(dir, "mesh.yaml");
  writeFileSync(file, MANIFEST);
  expect(asksOf(file)).toEqual({ agent: "what's a trip to Oslo", flow: "plan my trip" });
  expect(servicesFor(agentNames(file, undefined)).map(({ name }) => name)).toEqual(["issuer", "gateway"]);
});

test("without examples there is nothing to show", () => {
  const file = join(dir, "plain.yaml");
  writeFileSync(file, MANIFEST.split("flows:")[0] ?? "");
  expect(asksOf(file)).toEqual({});
});

test("of the manifest that ships, those of the parts that are taken", () => {
  const shipped = join(root, "mesh.yaml");
  expect(asksOf(shipped, ["finops"])).toEqual({ flow: expect.stringContaining("cloud cost") });
  expect(asksOf(shipped)).toMatchObject({ agent: expect.any(String), flow: expect.any(String) });
});
