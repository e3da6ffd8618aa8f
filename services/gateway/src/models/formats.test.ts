import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Received } from "../../../../scripts/model-server/server.ts";
import { FORMATS, type Format } from "./test/recorded.ts";
import { callOf, drained, modelTests, type TestModels } from "./test/support.ts";

const shared = modelTests();
beforeAll(() => shared.start());

const CALL = callOf({
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Hi" },
  ],
});

/** A model of this format, under a path of its own. */
function modelAt(format: Format, path: string): TestModels {
  const provider = {
    name: "test",
    kind: format.kind,
    baseUrl: `${shared.server.url}${path}`,
    keyEnv: "KEY",
    structuredOutputs: true,
  };
  return shared.open(
    { only: { does: format.model, provider, settings: { temperature: 0.5 } } },
    { secret: () => "test-key" },
  );
}

const lastRequest = (): Received => {
  const request = shared.server.requests.at(-1);
  if (!request) throw new Error("no request came");
  return request;
};

const MESSAGES = '"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}]';
const CLAUDE =
  '{"model":"claude-sonnet-4-5","max_tokens":64,"temperature":0.5,"system":[{"type":"text","text":"Be brief."}],' +
  '"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]';
const GEMINI =
  '{"generationConfig":{"maxOutputTokens":64,"temperature":0.5},"contents":[{"role":"user","parts":[{"text":"Hi"}]}],' +
  '"systemInstruction":{"parts":[{"text":"Be brief."}]}}';

function openAiBodies(model: string): Bodies {
  const whole = `{"model":"${model}","max_tokens":64,"temperature":0.5,${MESSAGES}`;
  return { whole: `${whole}}`, stream: `${whole},"stream":true,"stream_options":{"include_usage":true}}` };
}

type Bodies = { whole: string; stream: string };

/** What each provider gets for the call, byte for byte. */
const BODIES: Record<Format["kind"], Bodies> = {
  openai: openAiBodies("gpt-4o-mini"),
  openai_compatible: openAiBodies("llama"),
  azure: openAiBodies("my-deployment"),
  anthropic: { whole: `${CLAUDE}}`, stream: `${CLAUDE},"stream":true}` },
  google: { whole: GEMINI, stream: GEMINI },
  vertex: { whole: GEMINI, stream: GEMINI },
};

const SCHEMA =
  '{"type":"object","properties":{"price":{"type":"number"}},"required":["price"],"additionalProperties":false}';
const OPENAI_FORM = `"response_format":{"type":"json_schema","json_schema":{"schema":${SCHEMA},"strict":true,"name":"answer"}}`;
const OPENAI_TOOL = `"tools":[{"type":"function","function":{"name":"look_up","description":"Looks.","parameters":${SCHEMA}}}]`;
const GEMINI_FORM =
  '"responseMimeType":"application/json","responseJsonSchema":' +
  '{"type":"object","required":["price"],"properties":{"price":{"type":"number"}},"additionalProperties":false}';
const CLAUDE_FORM =
  '"output_config":{"format":{"type":"json_schema","schema":' +
  '{"type":"object","properties":{"price":{"type":"number"}},"additionalProperties":false,"required":["price"]}}}';
const GEMINI_TOOL = `"tools":[{"functionDeclarations":[{"name":"look_up","description":"Looks.","parametersJsonSchema":${SCHEMA}}]}]`;

/** How each provider is told of the form of an answer, and of a tool. */
const SCHEMAS: Record<Format["kind"], { form: string; tool: string }> = {
  openai: { form: OPENAI_FORM, tool: OPENAI_TOOL },
  openai_compatible: { form: OPENAI_FORM, tool: OPENAI_TOOL },
  azure: { form: OPENAI_FORM, tool: OPENAI_TOOL },
  anthropic: {
    form: CLAUDE_FORM,
    tool: `"tools":[{"name":"look_up","description":"Looks.","input_schema":${SCHEMA}}]`,
  },
  google: { form: GEMINI_FORM, tool: GEMINI_TOOL },
  vertex: { form: GEMINI_FORM, tool: GEMINI_TOOL },
};

describe.each(FORMATS)("$kind", (format) => {
  const path = `/${format.kind}`;

  test("a whole answer is asked for and read", async () => {
    const { body, contentType } = { body: format.whole, contentType: "application/json" };
    shared.server.record({ path: path + format.paths.whole, contentType, body });
    const answer = await modelAt(format, path).gateway.generate(CALL);
    expect(answer).toMatchObject({ text: format.text, finish: "stop", model: "only" });
    expect(answer.used).toMatchObject({ ...format.used, estimated: 0, failed: 0 });
    const request = lastRequest();
    expect(request.path).toBe(`/v1${path}${format.paths.whole}`);
    expect(request.headers).toMatchObject({
      [format.key[0]]: format.key[1],
      "content-type": "application/json",
    });
    expect(request.body).toBe(BODIES[format.kind].whole);
  });

  test("a stream is asked for and read", async () => {
    const streamPath = `/streamed${path}${format.paths.stream}`;
    shared.server.record({ path: streamPath, contentType: "text/event-stream", body: format.stream });
    const { answer, text, error } = await drained(modelAt(format, `/streamed${path}`).gateway.stream(CALL));
    expect(error).toBeUndefined();
    expect(text).toBe(format.text);
    expect(answer).toMatchObject({ text: format.text, finish: "stop" });
    expect(answer?.used).toMatchObject({ ...format.used, estimated: 0 });
    const request = lastRequest();
    expect(request.path).toBe(`/v1${streamPath}`);
    expect(request.body).toBe(BODIES[format.kind].stream);
    const others = ["authorization", "api-key", "x-api-key", "x-goog-api-key"].filter(
      (name) => name !== format.key[0],
    );
    for (const name of others) expect(request.headers[name]).toBeUndefined();
  });

  test("a form and tools are asked for in the provider's own words", async () => {
    const own = `/formed${path}`;
    shared.server.record({
      path: own + format.paths.whole,
      contentType: "application/json",
      body: format.whole,
    });
    const { gateway } = modelAt(format, own);
    const properties = { price: { type: "number" } };
    const schema = { type: "object", properties, required: ["price"], additionalProperties: false };
    // What is recorded is no JSON, so that the form is asked for twice.
    await expect(gateway.generate({ ...CALL, schema })).rejects.toMatchObject({
      code: "model_output_invalid",
    });
    const { form, tool } = SCHEMAS[format.kind];
    expect(lastRequest().body).toContain(form);
    expect(lastRequest().body).toContain("does not have the form");
    await gateway.generate({
      ...CALL,
      tools: [{ name: "look_up", description: "Looks.", inputSchema: schema }],
    });
    expect(lastRequest().body).toContain(tool);
  });
});

/** Those whose streams differ, from each other and from what truncation.test.ts cuts. */
const CUT = FORMATS.filter(({ kind }) => kind !== "vertex" && kind !== "openai_compatible");

/** A connection that breaks is one wherever it does, so that not every byte is tried. */
const STEPS = { endAt: 1, cutAt: 13 } as const;

describe.each(CUT)("a stream of $kind that is cut is an error", (format) => {
  test.each(["endAt", "cutAt"] as const)(
    "wherever: %s",
    async (how) => {
      const length = Buffer.byteLength(format.stream);
      const wrong: unknown[] = [];
      const tried = async (at: number): Promise<void> => {
        const path = `/${format.kind}/${how}-${at}`;
        const cut = { contentType: "text/event-stream", body: format.stream, [how]: at };
        shared.server.record({ path: path + format.paths.stream, ...cut });
        const { answer, text, error } = await drained(modelAt(format, path).gateway.stream(CALL));
        const isWhole = how === "endAt" && at >= length - format.spare;
        const isRight = isWhole
          ? answer?.text === format.text
          : answer === undefined &&
            Error.isError(error) &&
            "code" in error &&
            error.code === (text === "" ? "AGT_002" : "model_interrupted");
        if (!isRight) wrong.push({ at, length, text, answer, error });
      };
      const count = Math.floor(length / STEPS[how]) + 1;
      const offsets = Array.from({ length: count }, (_, n) => n * STEPS[how]);
      for (let from = 0; from < offsets.length; from += 16)
        await Promise.all(offsets.slice(from, from + 16).map(tried));
      expect(wrong).toEqual([]);
    },
    300_000,
  );
});
