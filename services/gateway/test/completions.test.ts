import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { saying } from "../../../scripts/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../../../scripts/model-server/server.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { pricingMesh } from "./support/mesh.ts";
import { as, get, post } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const PATH = "/v1/chat/completions";
const MESSAGES = [{ role: "user", content: "Say it." }];
const ann = () => as("ann", "analyst", `t-${randomUUID()}`);
/** May ask all models but the large one. */
const THRIFTY = as("tom", "thrifty", `t-${randomUUID()}`);

let gateway: TestGateway;
let models: ModelServer;

beforeAll(async () => {
  const redis = keep(await testRedis());
  models = keep(await startModelServer());
  const agent = keep(await standIn({}));
  const mesh = pricingMesh(agent.url);
  const model = (name: string, more: object = {}) => ({ provider: "here", model: name, retries: 0, ...more });
  gateway = keep(
    await testGateway({
      redisUrl: redis.url,
      manifest: {
        ...mesh,
        access: { roles: { thrifty: { inherits: ["viewer"], models: ["small", "away", "rules"] } } },
        models: {
          default: "small",
          allow: ["rules", "small", "away", "large"],
          providers: { here: { kind: "openai_compatible", base_url: models.url } },
          models: {
            small: model("small", { prices: { input: 1, output: 2 } }),
            // A breaker of its own, which its failures may open.
            away: model("503", { fallbacks: ["large"] }),
            large: model("large"),
          },
        },
      },
    }),
  );
});

const complete = (body: object, caller = ann()) =>
  post(gateway, PATH, { model: "small", messages: MESSAGES, ...body }, caller);

/** What a stream's events have, and how it ends. */
function events(text: string): { data: Record<string, unknown>[]; isDone: boolean } {
  const lines = text.split("\n\n").filter((frame) => frame !== "");
  const isDone = lines.at(-1) === "data: [DONE]";
  const data = (isDone ? lines.slice(0, -1) : lines).map((line) => JSON.parse(line.replace("data: ", "")));
  return { data, isDone };
}

const textOf = (data: readonly Record<string, unknown>[]): string =>
  data.map((one) => Object(one).choices?.[0]?.delta?.content ?? "").join("");

test("an answer has OpenAI's form, and what it took is accounted for", async () => {
  models.script("small", saying("So it is."));
  const caller = ann();
  const { status, text } = await complete({}, caller);
  expect(status).toBe(200);
  const answer = JSON.parse(text);
  expect(answer).toMatchObject({
    object: "chat.completion",
    model: "small",
    choices: [{ index: 0, message: { role: "assistant", content: "So it is." }, finish_reason: "stop" }],
    usage: { completion_tokens: 3, total_tokens: answer.usage.prompt_tokens + 3 },
  });
  let used: unknown[] = [];
  await until(async () => {
    const report = JSON.parse((await get(gateway, "/api/v1/usage?group_by=model", caller)).text);
    used = report.groups;
    return used.length > 0;
  });
  expect(used).toMatchObject([{ key: "small", calls: 1, output_tokens: 3, estimated: 0 }]);
});

test("a stream ends with its usage and [DONE]", async () => {
  models.script("small", saying("one two three"));
  const { text } = await complete({ stream: true, stream_options: { include_usage: true } });
  const { data, isDone } = events(text);
  expect(isDone).toBe(true);
  expect(textOf(data)).toBe("one two three");
  expect(data[0]).toMatchObject({ model: "small", choices: [{ delta: { role: "assistant" } }] });
  expect(data.at(-2)).toMatchObject({ choices: [{ finish_reason: "stop" }] });
  expect(data.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 3 } });
});

test.each([false, true])(
  "a model that is away is replaced before the first token (streamed: %s)",
  async (stream) => {
    models.script("large", saying("Here I am."));
    const { status, text } = await complete({ model: "away", stream });
    expect(status).toBe(200);
    expect(text).toContain('"model":"large"');
    const refused = await complete({ model: "away", stream, disable_fallbacks: true });
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([503, "AGT_002"]);
  },
);

test("a fallback that the caller may not use does not answer", async () => {
  models.script("large", saying("Here I am."));
  const { status } = await complete({ model: "away" }, THRIFTY);
  expect(status).toBe(503);
});

test("a stream that breaks off after its first token ends with an error, and is not done", async () => {
  models.script("small", `${saying("one two three four")}+slow-20+cut-after-2`);
  const { status, text } = await complete({ stream: true });
  const { data, isDone } = events(text);
  expect([status, isDone]).toEqual([200, false]);
  expect(textOf(data)).not.toBe("");
  expect(data.at(-1)).toMatchObject({ error: { code: "model_interrupted", retryable: true } });
});

test("tools are called, and their results go back", async () => {
  models.script("small", "tool-look_up");
  const tools = [{ type: "function", function: { name: "look_up", parameters: { type: "object" } } }];
  const { text } = await complete({ tools });
  const [choice] = JSON.parse(text).choices;
  expect(choice).toMatchObject({
    finish_reason: "tool_calls",
    message: { content: null, tool_calls: [{ function: { name: "look_up", arguments: '{"limit":3}' } }] },
  });
  models.script("small", saying("Three."));
  const result = { role: "tool", tool_call_id: choice.message.tool_calls[0].id, content: "[1,2,3]" };
  const { status } = await complete({ tools, messages: [...MESSAGES, choice.message, result] });
  expect(status).toBe(200);
  const sent = JSON.parse(models.requests.at(-1)?.body ?? "{}");
  expect(sent.messages.slice(1)).toEqual([
    { role: "assistant", content: null, tool_calls: choice.message.tool_calls },
    { role: "tool", tool_call_id: result.tool_call_id, content: "[1,2,3]" },
  ]);
});

test("the manifest's limit of tokens stands where the request's is more", async () => {
  models.script("small", saying("Yes."));
  await complete({ max_tokens: 7 });
  expect(JSON.parse(models.requests.at(-1)?.body ?? "{}").max_tokens).toBe(7);
  await complete({ max_tokens: 1_000_000 });
  expect(JSON.parse(models.requests.at(-1)?.body ?? "{}").max_tokens).toBe(2_048);
});

test("the answer of a client that goes away is not made any further", async () => {
  models.script("small", `${saying("one two three")}+stall-after-1`);
  const before = models.aborted;
  const reader = await EventReader.open(`${gateway.url}${PATH}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...ann() },
    body: JSON.stringify({ model: "small", stream: true, messages: MESSAGES }),
  });
  await reader.until((frames) => frames.length > 0);
  reader.leave();
  await until(() => models.aborted > before);
});

test.each([
  ["a model that there is not", 404, "not_found", { model: "huge" }, ann()],
  ["a model that nobody is asked for", 404, "not_found", { model: "rules" }, ann()],
  ["a model that the caller may not use", 404, "not_found", { model: "large" }, THRIFTY],
  ["a member that would be ignored", 400, "invalid_request", { logprobs: true }, ann()],
  [
    "a form that is streamed",
    400,
    "invalid_request",
    { stream: true, response_format: { type: "json_object" } },
    ann(),
  ],
] as const)("%s is refused", async (_, status, code, body, caller) => {
  const asked = models.requests.length;
  const answer = await complete(body, caller);
  expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([status, code]);
  expect(models.requests).toHaveLength(asked);
});
