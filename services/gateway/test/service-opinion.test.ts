import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { saying } from "../../../scripts/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../../../scripts/model-server/server.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { as, post } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { shippedMesh } from "./support/shipped-mesh.ts";
import { answering, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const SEATS = ["book a seat for me", "I need a seat on Monday", "reserve two seats", "좌석 예약해줘"];
/** The examples of two services are the same. */
const UNCLEAR = "reserve a seat for me";
const TOM = as("tom", "traveller", "t-opinion");
/** Knows nothing of planes. */
const RIA = as("ria", "rider", "t-opinion");

let gateway: TestGateway;
/** One that waits no longer for an opinion than the gateway does by itself. */
let hasty: TestGateway;
let models: ModelServer;

beforeAll(async () => {
  const redis = keep(await testRedis());
  models = keep(await startModelServer());
  const outputs = { state: { stage: "FILLING" }, message: "Where to?", next_action: "ASK" };
  const { url, stop } = await standIn({ TRANSFER_TURN: answering(outputs) });
  keep({ stop });
  const shipped = shippedMesh(url);
  const turn = { agent: "transfer", task_type: "TRANSFER_TURN", dialogue: {}, examples: SEATS };
  const traveller = {
    inherits: ["viewer"],
    agents: ["transfer"],
    services: ["train", "plane"],
    models: ["*"],
  };
  const manifest = (intent: object) => ({
    ...shipped,
    services: {
      ...shipped.services,
      train: { ...turn, label: { en: "Train tickets", ko: "기차표" } },
      plane: { ...turn, label: { en: "Plane tickets", ko: "비행기표" } },
    },
    access: { roles: { traveller, rider: { ...traveller, services: ["train"] } } },
    models: {
      default: "rules",
      allow: ["rules", "first", "second"],
      tasks: { intent: { model: "first", ...intent } },
      providers: { here: { kind: "openai_compatible", base_url: models.url } },
      models: {
        first: { provider: "here", model: "first", retries: 0, fallbacks: ["second"] },
        second: { provider: "here", model: "second", retries: 0 },
      },
    },
  });
  const start = (intent: object) => testGateway({ manifest: manifest(intent), redisUrl: redis.url });
  gateway = keep(await start({ timeout_ms: 20_000 }));
  hasty = keep(await start({}));
});

const thinks = (service: string, how = "", model = "first") =>
  models.script(model, `${saying(JSON.stringify({ service }))}${how}`);

beforeEach(() => thinks("plane"));

type Answer = { intent: string; ui_hint?: { buttons: string[] } };

async function ask(where = gateway, caller = TOM, query = ""): Promise<Answer> {
  const before = rests(where).length;
  const body = { message: UNCLEAR, session_id: randomUUID() };
  const { status, text } = await post(where, `/api/v1/chat${query}`, body, caller);
  expect(status).toBe(200);
  // The line comes after the answer.
  await until(() => rests(where).length > before);
  const { intent, understood } = JSON.parse(rests(where).at(-1) ?? "{}");
  return { ...JSON.parse(text), intent: `${intent} by ${understood?.source ?? "nobody"}` };
}

/** What the log says of what turns were understood as. */
function rests(where: TestGateway): string[] {
  return where
    .logs()
    .split("\n")
    .filter((line) => line.includes("run rests"));
}

test("of services that are as likely, the model's is chosen", async () => {
  expect((await ask()).intent).toBe("plane by model");
  thinks("train");
  expect((await ask()).intent).toBe("train by model");
});

test.each([
  ["cannot tell", "none", ""],
  ["names one that there is not", "wire_money", ""],
  ["is away", "plane", "+503"],
])("a model that %s leaves the question", async (_, service, how) => {
  thinks(service, how);
  thinks(service, how, "second");
  expect((await ask()).ui_hint?.buttons).toHaveLength(2);
});

test("a model that is late leaves the question", async () => {
  thinks("plane", "+stall-headers");
  expect((await ask(hasty)).ui_hint?.buttons).toHaveLength(2);
});

test("a service that the caller may not use is none of the choices", async () => {
  const before = models.requests.length;
  expect((await ask(gateway, RIA)).intent).toBe("train by local");
  expect(JSON.stringify(models.requests.slice(before))).not.toContain("plane");
});

test("a request may refuse fallbacks", async () => {
  thinks("plane", "+503");
  thinks("train", "", "second");
  expect((await ask()).intent).toBe("train by model");
  expect((await ask(gateway, TOM, "?disable_fallbacks=true")).ui_hint?.buttons).toHaveLength(2);
});
