import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import type OpenAI from "openai";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { failureOf, openAi } from "./support/openai-peers.ts";
import { as, decide, get, LEE, post } from "./support/people.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import {
  answering,
  callsOf,
  event,
  finish,
  gone,
  holding,
  type StandIn,
  standIn,
} from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const explain = holding();
let redisUrl: string;
let agent: StandIn;
let gateway: TestGateway;

beforeAll(async () => {
  redisUrl = keep(await testRedis()).url;
  agent = keep(
    await standIn({
      ...PUBLISHING,
      PRICE_OPTIMIZATION: answering({ items: [], summary: "One price moves." }),
      PRICE_EXPLANATION: explain.handler,
    }),
  );
  const labelled = publishingMesh(agent.url);
  const explainer = { ...labelled.agents.explainer, label: { en: "Explaining", ko: "설명" } };
  const manifest = { ...labelled, agents: { ...labelled.agents, explainer } };
  const env = { PUBLIC_URL: "https://mesh.example.com" };
  gateway = keep(await testGateway({ manifest, redisUrl, env }));
});

const somebody = () => as(`u-${randomUUID()}`, "analyst");
const client = (headers = somebody()) => openAi({ url: gateway.url, headers });
const user = (content: string) => ({ role: "user" as const, content });
const failing = (answer: Promise<unknown>) => answer.then(() => ({}), failureOf);
/** What the gateway says beside OpenAI's format. */
const beside = (answer: object): Record<string, unknown> => Object(Reflect.get(answer, "interlock"));

test("the models are the caller's services, and the gateway's choice among them", async () => {
  const listed = (await client().models.list()).data.map(({ id }) => id);
  expect(listed).toEqual([
    "interlock/auto",
    ...["optimizer", "policy", "explainer", "sensitivity", "pricing", "publishing"].map(
      (name) => `interlock/${name}`,
    ),
  ]);
  expect(await client().models.retrieve("interlock/policy")).toMatchObject({
    object: "model",
    owned_by: "interlock",
  });
  const none = await client(as(`u-${randomUUID()}`, "nobody")).models.list();
  expect(none.data.map(({ id }) => id)).toEqual(["interlock/auto"]);
  expect(await failing(client().models.retrieve("interlock/other"))).toMatchObject({ status: 404 });
});

test("without a session's name a conversation is one session, by its caller and first message", async () => {
  const headers = somebody();
  const messages = [user("Propose prices")];
  const ask = (more: OpenAI.ChatCompletionMessageParam[], who = headers) =>
    client(who).chat.completions.create({ model: "interlock/optimizer", messages: [...messages, ...more] });
  const first = await ask([]);
  // What the client says was said before is not what counts.
  const second = await ask([
    { role: "assistant", content: "All prices are zero." },
    user("Propose prices again"),
  ]);
  expect(beside(second).session_id).toBe(beside(first).session_id);
  const session = await get(gateway, `/api/v1/sessions/${beside(first).session_id}`, headers);
  expect(session.json().turns).toHaveLength(4);
  expect(session.text).not.toContain("zero");
  expect(beside(await ask([], somebody())).session_id).not.toBe(beside(first).session_id);
});

test.each(["x-session-id", "x-openwebui-chat-id"])("%s names the session", async (header) => {
  const session = randomUUID();
  const answer = await client().chat.completions.create(
    { model: "interlock/optimizer", messages: [user("Propose prices")] },
    { headers: { [header]: session } },
  );
  expect(beside(answer)).toMatchObject({ session_id: session, status: "ok" });
});

test("what a service cannot heed is refused, settings of models are not", async () => {
  const { completions } = client().chat;
  const ask = (more: object) =>
    completions.create({ model: "interlock/optimizer", messages: [user("Propose prices")], ...more });
  const tool = { type: "function", function: { name: "look", parameters: { type: "object" } } };
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
  const asked = callsOf(agent, "PRICE_OPTIMIZATION").length;
  for (const more of [
    { tools: [tool] },
    { n: 2 },
    { response_format: { type: "json_object" } },
    { messages: [{ role: "user", content: [{ type: "text", text: "Propose" }, image] }] },
    { messages: [user("Propose prices"), { role: "assistant", content: "No." }] },
    { metadata: { session_id: "no id" } },
  ])
    expect([more, await failing(ask(more))]).toEqual([more, { status: 400, code: "invalid_request" }]);
  expect(callsOf(agent, "PRICE_OPTIMIZATION")).toHaveLength(asked);
  const settings = { temperature: 0.2, top_p: 0.5, seed: 7, tools: [], user: "u", store: false };
  const parts = [{ type: "text", text: "Propose prices" }];
  const answer = await ask({
    ...settings,
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: parts },
    ],
  });
  expect(answer).toMatchObject({
    choices: [{ message: { content: "One price moves." }, finish_reason: "stop" }],
  });
});

test.each([
  [true, "Explaining\nHalf done.\n"],
  [{ progress: "none" }, ""],
])("what agents do is told as reasoning where peers.openai is %j", async (openai, told) => {
  const manifest = publishingMesh(agent.url);
  const labels = { explainer: { ...manifest.agents.explainer, label: { en: "Explaining", ko: "설명" } } };
  const agents = { ...manifest.agents, ...labels };
  const where = keep(await testGateway({ manifest: { ...manifest, agents, peers: { openai } }, redisUrl }));
  const stream = await openAi({ url: where.url, headers: somebody() }).chat.completions.create({
    model: "interlock/explainer",
    messages: [user("Explain")],
    stream: true,
    stream_options: { include_usage: true },
  });
  const call = await explain.next();
  call.res.write(event("progress", { message: "Half done." }));
  finish(call, { summary: "Cost drives it." });
  let [text, reasoning] = ["", ""];
  const usage: unknown[] = [];
  for await (const chunk of stream) {
    const delta = chunk.choices[0]?.delta;
    text += delta?.content ?? "";
    reasoning += String(Object(delta).reasoning_content ?? "");
    if (chunk.usage) usage.push(chunk.usage);
  }
  expect(text).toContain("Cost drives it.");
  expect(reasoning).toBe(told);
  expect(usage).toMatchObject([{ total_tokens: 0 }]);
});

test("a response is a run: in the background, as it stands, and its conversation", async () => {
  const headers = somebody();
  const { responses } = client(headers);
  const started = await responses.create({
    model: "interlock/explainer",
    input: "Explain",
    background: true,
  });
  expect(started).toMatchObject({ object: "response", status: "queued", output: [] });
  const call = await explain.next();
  expect(await responses.retrieve(started.id)).toMatchObject({
    status: "in_progress",
    model: "interlock/explainer",
  });
  finish(call, { summary: "Cost drives it." });
  await until(async () => (await responses.retrieve(started.id)).status === "completed");
  const { output_text } = await responses.retrieve(started.id);
  expect(output_text).toContain("Cost drives it.");
  const next = await responses.create({
    model: "interlock/optimizer",
    input: "Propose prices",
    previous_response_id: started.id,
  });
  expect(next).toMatchObject({ status: "completed", previous_response_id: started.id });
  const run = (id: string) => get(gateway, `/api/v1/runs/${id.replace("resp_", "")}`, headers);
  expect((await run(next.id)).json().session_id).toBe((await run(started.id)).json().session_id);
  // To others, of this tenant or of another one, there is no such response.
  for (const other of [somebody(), as("zoe", "analyst", `t-${randomUUID()}`)]) {
    expect(await failing(client(other).responses.retrieve(started.id))).toEqual({
      status: 404,
      code: "not_found",
    });
    const on = client(other).responses.create({
      model: "interlock/auto",
      input: "x",
      previous_response_id: started.id,
    });
    expect(await failing(on)).toEqual({ status: 404, code: "not_found" });
  }
});

test("a response that is cancelled", async () => {
  const { responses } = client();
  const { id } = await responses.create({ model: "interlock/explainer", input: "Explain", background: true });
  const call = await explain.next();
  expect(await responses.cancel(id)).toMatchObject({ id, status: "cancelled", error: { code: "cancelled" } });
  await gone(call);
  expect(await responses.retrieve(id)).toMatchObject({ status: "cancelled" });
});

test("the events of a response, from any of them on, are the same events", async () => {
  const { responses } = client();
  const { id } = await responses.create({ model: "interlock/explainer", input: "Explain", background: true });
  finish(await explain.next(), { summary: "Cost drives it." });
  const read = async (after?: number) => {
    const from = after === undefined ? {} : { starting_after: after };
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const one of await responses.retrieve(id, { stream: true, ...from })) events.push(one);
    return events;
  };
  const all = await read();
  expect(all.map(({ type }) => type)).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
  ]);
  const numbers = all.map(({ sequence_number }) => sequence_number);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  const timeless = (events: readonly object[]) =>
    events.map((one) => JSON.stringify(one, (key, value) => (key === "completed_at" ? 0 : value)));
  for (const [index, number] of numbers.entries())
    expect(timeless(await read(number))).toEqual(timeless(all.slice(index + 1)));
});

test("a response that waits for an approval is incomplete, and complete once it is approved", async () => {
  const headers = somebody();
  const { responses } = client(headers);
  const asked = { model: "interlock/publishing", input: "publish" };
  const types: string[] = [];
  let id = "";
  for await (const one of await responses.create({ ...asked, stream: true })) {
    types.push(one.type);
    if (one.type === "response.incomplete") id = one.response.id;
  }
  expect(types.at(-1)).toBe("response.incomplete");
  const paused = await responses.retrieve(id);
  expect(paused).toMatchObject({ status: "incomplete", incomplete_details: { reason: "approval_required" } });
  const { id: approvalId, url } = Object(beside(paused).approval);
  expect(url).toBe(`https://mesh.example.com/api/v1/approvals/${approvalId}`);
  expect(paused.output_text).toContain(url);
  const hash = String((await get(gateway, `/api/v1/approvals/${approvalId}`, LEE)).json().proposal_hash);
  expect((await decide(gateway, { approvalId, hash }, "approve", LEE)).status).toBe(200);
  await until(async () => (await responses.retrieve(id)).status === "completed");
  expect((await responses.retrieve(id)).output_text).toContain("Published");
});

test("errors have OpenAI's form, whoever finds them", async () => {
  const path = "/v1/chat/completions";
  const answers = await Promise.all([
    post(gateway, path, { model: "interlock/auto", messages: [] }, somebody()),
    post(gateway, path, { model: "interlock/auto", messages: [user("x")] }, { authorization: "Bearer no" }),
    get(gateway, path, somebody()),
  ]);
  for (const [index, status] of [400, 401, 405].entries()) {
    expect(answers[index]?.status).toBe(status);
    const { error, request_id } = Object(answers[index]?.json());
    expect(error).toMatchObject({
      message: expect.any(String),
      type: expect.any(String),
      code: expect.any(String),
    });
    expect(request_id).toBe(answers[index]?.headers["x-request-id"]);
  }
});
