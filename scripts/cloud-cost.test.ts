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
    services: servicesFor(new Set(["cost", "savings"])),
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

type Reply = { message: string; ui_hint?: { buttons?: string[] } };

/** Where it is asked whether a message was read right, it was. */
async function said(messages: readonly string[]): Promise<string[]> {
  const session_id = randomUUID();
  const say = async (message: string) =>
    (await post(mesh, "/api/v1/chat", { message, session_id }, ANN)).json() as Reply;
  const answers: string[] = [];
  for (const message of messages) {
    const reply = await say(message);
    const isShown = reply.ui_hint?.buttons?.[0] === "Yes, like that";
    answers.push((isShown ? await say("Yes, like that") : reply).message);
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
    [
      "What will we spend on AWS next month?",
      /^Forecast of effective cost, 2026-10-01 to 2026-10-31/m,
      /Only: provider AWS/,
    ],
    [
      "Are we on track to stay under a budget of $145,000 this month?",
      /2026-09-01 to 2026-09-30/,
      /Budget \$145,000.00: the chance of exceeding it is \d/,
    ],
    ["How can we reduce our cloud bill?", /^Together they save \$/m, /Commit to AWS compute/, /Judged by/],
    ["July vs August spend by provider", /2026-07-01 to 2026-07-31[\s\S]*against 2026-08-01/, /By provider:/],
    [
      "How much have we spent this month compared to the same days last month?",
      /2026-09-01 to 2026-09-18[\s\S]*against 2026-08-01 to 2026-08-18/,
    ],
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

test("a figure that no agent reads is named, or asked about", async () => {
  const [answer] = await said(["What did we spend on Lambda last month, charges over 500 only?"]);
  expect(answer).toMatch(/(?:Not applied: |No such limit)[^\n]*500/);
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

test("another month is what a period is compared with, and stays so", async () => {
  const [, compared, byRegion] = await said([
    "What did we spend in June by service?",
    "compare with March",
    "and by region?",
  ]);
  expect(compared).toMatch(
    /2026-06-01 to 2026-06-30[\s\S]*against 2026-03-01 to 2026-03-31[\s\S]*By service:/,
  );
  expect(byRegion).toMatch(
    /2026-06-01 to 2026-06-30[\s\S]*against 2026-03-01 to 2026-03-31[\s\S]*By region:/,
  );
});

test("savings go on from a forecast, and to one kind", async () => {
  const [, saving, idle] = await said([
    "Forecast the AWS cost of next month",
    "how can we save on that?",
    "only the idle resources",
  ]);
  expect(saving).toMatch(/Commit to AWS compute[\s\S]*Only: provider AWS/);
  expect(idle).toMatch(/Together they save \$46\.81[\s\S]*Only: provider AWS/);
});

test("a review has what was spent, what comes, what was unusual, and what can be saved", async () => {
  const [review] = await said(["Make a full cloud cost review"]);
  const places = [
    /^Effective cost,/m,
    /^Forecast of/m,
    /unusual in/,
    /^Together they save/m,
    /^Sections:/m,
  ].map((one) => String(review).search(one));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test("a time that the bills do not have is told, and not left out", async () => {
  const [answer] = await said(["how much did we spend on EC2 in 2024?"]);
  expect(answer).toContain("they are of 2025-09-01 to 2026-09-18");
});

test("the question of a client that shows what is going on is answered in events with a name", async () => {
  const body = {
    message: "What were my top cloud costs last month?",
    session_id: "sess_abc123",
    conversation_id: "conv_xyz789",
  };
  const { text } = await post(mesh, "/api/v1/chat?stream=true&dialect=status", body, ANN);
  const events = text
    .split("\n\n")
    .filter((frame) => /^event: /m.test(frame))
    .map((frame) => ({
      event: /^event: (.*)$/m.exec(frame)?.[1],
      data: JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? "null") as Record<string, unknown>,
    }));
  expect(events.every(({ data }) => data.conversation_id === "conv_xyz789")).toBe(true);
  const places = [
    { event: "status", data: { type: "thinking" } },
    { event: "status", data: { type: "executing" } },
    {
      event: "tool_call",
      data: { type: "tool", name: "cost_query", result: { parts: [{ currency: "USD" }] } },
    },
    {
      event: "message",
      data: { type: "text", content: expect.stringMatching(/- Compute Engine: \$29,661\.79/) },
    },
    { event: "status", data: { type: "complete", outcome: "ok" } },
  ].map((wanted) => events.findIndex((found) => matches(found, wanted)));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

function matches(found: unknown, wanted: object): boolean {
  try {
    expect(found).toMatchObject(wanted);
    return true;
  } catch {
    return false;
  }
}

describe("what is not about cloud cost", () => {
  test("is asked back, with what there is to ask, and not twice in a row", async () => {
    const session_id = randomUUID();
    const ask = async (message: string) =>
      (await post(mesh, "/api/v1/chat", { message, session_id }, ANN)).json() as {
        message: string;
        ui_hint?: { buttons?: string[] };
      };
    await ask("What were my top cloud costs last month?");
    const asked = await ask("write me a poem about autumn");
    expect(asked.message).toMatch(/^Perhaps I cannot do that\. What would you like: /);
    const [first = ""] = asked.ui_hint?.buttons ?? [];
    expect(first).not.toBe("");
    expect((await ask("write me a poem about winter")).message).not.toContain("What would you like");
    await ask("who won the world cup in 2018");
  });

  test("is helped with, where that is asked for", async () => {
    const [, help] = await said(["What were my top cloud costs last month?", "what can you do?"]);
    expect(help).toContain("I can tell what your cloud costs");
  });
});

test("flows of one domain go on with what was said in another one", async () => {
  const [, unusual] = await said(["What did we spend on GCP last month?", "any anomalies?"]);
  expect(unusual).toMatch(/For Google Cloud, period last month[\s\S]*Google Cloud, BigQuery/);
  expect(unusual).not.toContain("AWS");
});
