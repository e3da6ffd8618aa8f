import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ANN, post } from "../services/gateway/test/support/people.ts";
import { shippedMeshFile } from "../services/gateway/test/support/shipped-mesh.ts";
import { type Mesh, startMesh } from "./lib/mesh.ts";
import { servicesFor } from "./lib/services.ts";

/** Conversations about cloud cost with the shipped manifest, its models, and its real agent over the sample's bills. */
let mesh: Mesh;
const manifest = shippedMeshFile();

beforeAll(async () => {
  mesh = await startMesh({
    services: servicesFor(new Set(["cost"])),
    redis: { durable: false },
    // A busy machine holds the event loop longer than the mesh would.
    env: { MESH_FILE: manifest.file, LOOP_SHED_MS: "60000" },
    logDir: process.env.TEST_GATEWAY_LOGS,
  });
});
afterAll(async () => {
  await mesh.stop();
  manifest.remove();
});

async function said(messages: readonly string[]): Promise<string[]> {
  const session_id = randomUUID();
  const answers: string[] = [];
  for (const message of messages) {
    const answer = await post(mesh, "/api/v1/chat", { message, session_id }, ANN);
    answers.push((answer.json() as { message: string }).message);
  }
  return answers;
}

describe("an answer is about all that was said", () => {
  test.each<[string, ...RegExp[]]>([
    [
      "What were my top cloud costs last month?",
      /2026-08-01 to 2026-08-31/,
      /By service:\n- Compute Engine: \$/,
    ],
    [
      "How much did we spend on EC2 in Frankfurt in June?",
      /2026-06-01/,
      /Only: service Amazon Elastic Compute Cloud; region eu-central-1/,
    ],
    ["cost by team in July, top 3", /By tag team:/, /2026-07-01/, /other \(3 more\)/],
    [
      "billed cost of Azure per account last quarter",
      /^Billed cost, 2026-04-01/m,
      /By account:/,
      /Only: provider Microsoft/,
    ],
    ["How much did Lambda cost on August 11?", /Effective cost, 2026-08-11: /, /Only: service AWS Lambda/],
    ["which resources do we have in us-east-1?", /resources were charged for/, /us-east-1/],
    [
      "Was anything unusual in our cloud costs?",
      /BigQuery: a higher level from 2026-08-20/,
      /Why: mostly what was used/,
    ],
    ["Make a cost report of last month", /Cloud cost, 2026-08-01/, /Sections: Summary, By month/],
    ["지난달 클라우드 비용을 서비스별로 보여줘", /2026-08-01 ~ 2026-08-31/, /서비스별:/],
  ])("%s", async (message, ...patterns) => {
    const [answer] = await said([message]);
    for (const pattern of patterns) expect(answer).toMatch(pattern);
    expect(answer).not.toMatch(/not applied|적용하지/i);
  });
});

test("a figure that no agent reads is named", async () => {
  const [answer] = await said(["What did we spend on Lambda last month, charges over 500 only?"]);
  expect(answer).toMatch(/Not applied: [^\n]*500/);
});

test("a conversation goes on from what was asked", async () => {
  const [, byRegion, ofOne, compared] = await said([
    "What were my top cloud costs last month?",
    "and by region?",
    "only GCP",
    "compare with the month before",
  ]);
  expect(byRegion).toMatch(/2026-08-01 to 2026-08-31[\s\S]*By region:/);
  expect(ofOne).toMatch(/By region:\n- europe-west1[\s\S]*Only: provider Google Cloud/);
  expect(compared).toMatch(/against 2026-07-01 to 2026-07-31[\s\S]*Only: provider Google Cloud/);
});

test("the call of the agent is an event of the stream, before the message", async () => {
  const body = { message: "What were my top cloud costs last month?", session_id: randomUUID() };
  const { text } = await post(mesh, "/api/v1/chat?stream=true", body, ANN);
  const [called, told] = [text.indexOf('"tool_call"'), text.lastIndexOf('"message"')];
  expect(called).toBeGreaterThan(-1);
  expect(told).toBeGreaterThan(called);
});
