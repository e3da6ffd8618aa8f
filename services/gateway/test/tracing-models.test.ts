import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type ModelServer, startModelServer } from "../../../scripts/model-server/server.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type GatewayProcess, gatewayProcess } from "./support/gateway.ts";
import { pricingMesh } from "./support/mesh.ts";
import { type Otlp, otlpReceiver } from "./support/otlp.ts";
import { ANN, post } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
let otlp: Otlp;
let models: ModelServer;
let silent: GatewayProcess;
let capturing: GatewayProcess;

beforeAll(async () => {
  const redis = keep(await testRedis());
  otlp = keep(await otlpReceiver());
  models = keep(await startModelServer());
  const mesh = pricingMesh(keep(await standIn({})).url);
  const manifest = {
    ...mesh,
    models: {
      providers: { here: { kind: "openai_compatible", base_url: models.url } },
      models: {
        small: { provider: "here", model: "ok" },
        broken: { provider: "here", model: "status-500", retries: 0 },
      },
      allow: ["rules", "small", "broken"],
      default: "rules",
    },
  };
  const options = { manifest, redisUrl: redis.url };
  silent = keep(await gatewayProcess({ ...options, env: otlp.env }));
  const captures = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true" };
  capturing = keep(await gatewayProcess({ ...options, env: { ...otlp.env, ...captures } }));
});

const newTrace = () => randomUUID().replaceAll("-", "");
const complete = (where: GatewayProcess, trace: string, content: string, model = "small") =>
  post(
    where,
    "/v1/chat/completions",
    { model, messages: [{ role: "user", content }] },
    { ...ANN, traceparent: `00-${trace}-b7ad6b7169203331-01` },
  );
const chatOf = (trace: string) =>
  otlp.span((span) => span.traceId === trace && span.name.startsWith("chat "));

describe("a request to a model", () => {
  test("is a span by the GenAI conventions, of which the provider learns, without what is said", async () => {
    const trace = newTrace();
    const secret = `zebra ${randomUUID()}`;
    expect((await complete(silent, trace, secret)).status).toBe(200);
    const span = await chatOf(trace);
    expect(span).toMatchObject({
      name: "chat ok",
      kind: "client",
      failed: false,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai_compatible",
        "gen_ai.request.model": "ok",
        "gen_ai.response.finish_reasons": ["stop"],
        "gen_ai.usage.input_tokens": expect.any(Number),
        "gen_ai.usage.output_tokens": expect.any(Number),
      },
    });
    expect(Object.keys(span.attributes).filter((name) => name.endsWith("messages"))).toEqual([]);
    expect(otlp.bytes.some((body) => body.includes("zebra"))).toBe(false);
    const parent = otlp.spans.find(({ spanId }) => spanId === span.parentId);
    expect(parent).toMatchObject({ name: "POST /v1/chat/completions", parentId: "b7ad6b7169203331" });
    expect(models.requests.at(-1)?.headers.traceparent).toBe(`00-${trace}-${span.spanId}-01`);
  });

  test("counts its tokens under the conventions' names, new and old", async () => {
    await complete(silent, newTrace(), "How are you?");
    const named = (name: string) =>
      otlp.points.findLast(
        (point) => point.name === name && point.attributes["gen_ai.request.model"] === "ok",
      );
    const names = [
      "gen_ai.client.inference.usage.input_tokens",
      "gen_ai.client.inference.usage.output_tokens",
      "gen_ai.client.token.usage",
    ];
    await until(() => names.every((name) => named(name) !== undefined));
    for (const name of names) {
      expect(named(name)).toMatchObject({ unit: "{token}", attributes: { "gen_ai.operation.name": "chat" } });
      expect(named(name)?.value).toBeGreaterThan(0);
    }
  });

  test("that fails has its code", async () => {
    const trace = newTrace();
    await complete(silent, trace, "How are you?", "broken");
    expect(await chatOf(trace)).toMatchObject({ failed: true, attributes: { "error.type": "server_error" } });
  });

  test("has what was said where the operator wants it", async () => {
    const trace = newTrace();
    await complete(capturing, trace, "What is a giraffe?");
    const { attributes } = await chatOf(trace);
    expect(JSON.parse(String(attributes["gen_ai.input.messages"]))).toEqual([
      { role: "user", parts: [{ type: "text", content: "What is a giraffe?" }] },
    ]);
    expect(JSON.parse(String(attributes["gen_ai.output.messages"]))).toMatchObject([
      { role: "assistant", parts: [{ type: "text" }], finish_reason: "stop" },
    ]);
  });
});
