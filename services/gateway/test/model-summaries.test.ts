import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { saying } from "../../../scripts/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../../../scripts/model-server/server.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { as, get, post } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { answering, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const ANN = as("ann", "", `t-${randomUUID()}`);

let gateway: TestGateway;
let models: ModelServer;

beforeAll(async () => {
  const redis = keep(await testRedis());
  models = keep(await startModelServer());
  const agent = keep(await standIn({ PRICE_OPTIMIZATION: answering(GOOD_OUTPUTS.PRICE_OPTIMIZATION) }));
  const manifest = {
    ...pricingMesh(agent.url),
    models: {
      default: "rules",
      allow: ["rules", "small"],
      tasks: { summary: "small" },
      providers: { here: { kind: "openai_compatible", base_url: models.url } },
      models: { small: { provider: "here", model: "small", retries: 0 } },
    },
  };
  const env = { MAX_CONTEXT_TURNS: "4", MEMORY_KEEP_RECENT_TURNS: "2" };
  gateway = keep(await testGateway({ manifest, redisUrl: redis.url, env }));
});

/** What the session keeps of its older turns. */
async function summaryOf(behaviour: string): Promise<string> {
  models.script("small", behaviour);
  const session_id = randomUUID();
  for (const message of ["at most 5 % change for VALVE-V7", "two", "three", "four", "five"])
    expect((await post(gateway, "/api/v1/chat", { message, session_id }, ANN)).status).toBe(200);
  let text = "";
  await until(async () => {
    const { summary } = Object((await get(gateway, `/api/v1/sessions/${session_id}`, ANN)).json());
    text = summary?.text ?? "";
    return text !== "";
  });
  return text;
}

test("older turns are summarised in the words of the model, by day and subject accounted for", async () => {
  const words = "They want VALVE-V7 to move by five percent at most.";
  expect(await summaryOf(saying(words))).toBe(words);
  await until(async () => (await get(gateway, "/api/v1/usage?group_by=model", ANN)).text.includes("small"));
});

test.each([
  ["has a number that nobody said", saying("They want VALVE-V7 to move by 6 % at most.")],
  ["names what nobody named", saying("They want PUMP-C3 to move by 5 % at most.")],
  ["is away", "503"],
])("a summary of a model that %s is none: the turns are quoted", async (_, behaviour) => {
  expect(await summaryOf(behaviour)).toContain("at most 5 % change");
});
