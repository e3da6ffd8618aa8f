import { beforeAll, describe, expect, test } from "@jest/globals";
import { callOf, drained, errorOf, fresh, modelTests, outcomes } from "./test/support.ts";

const shared = modelTests();
beforeAll(() => shared.start());

const SAID = "You said: one two three four five six seven eight";

/** Two models, of which the first does something and has the second as its fallback. */
const pair = (does: string, settings: object = {}, deps: object = {}) =>
  shared.open(
    {
      first: { does: fresh(does), settings: { fallbacks: ["second"], ...settings } },
      second: { does: "ok" },
    },
    deps,
  );

describe("another model answers before the first content token", () => {
  test.each([
    ["408", "request_timeout"],
    ["429", "rate_limited"],
    ["429+retry-after-60", "rate_limited"],
    ["500", "server_error"],
    ["503+retry-after-1", "server_error"],
    ["529", "server_error"],
    ["empty", "empty"],
    ["say-IA", "empty"],
    ["malformed", "server_error"],
  ])("sync: %s", async (does, outcome) => {
    const { gateway, attempts } = pair(does);
    const answer = await gateway.generate(callOf());
    expect(answer).toMatchObject({ text: SAID, model: "second", finish: "stop" });
    expect(answer.choice).toEqual({ hint: null, chosen: "first", reason: "default" });
    expect(outcomes(attempts)).toEqual([`first: ${outcome}`, "second: ok"]);
  });

  test.each([
    ["429", "rate_limited"],
    ["429+retry-after-60", "rate_limited"],
    ["503", "server_error"],
    ["empty", "empty"],
    // Each of these has sent an event with the role, and no content.
    ["cut-after-0", "connection"],
    ["error-after-0", "server_error"],
  ])("streamed: %s", async (does) => {
    const { gateway, attempts } = pair(does);
    const { text, answer, error } = await drained(gateway.stream(callOf()));
    expect(error).toBeUndefined();
    expect(text).toBe(SAID);
    expect(answer).toMatchObject({ model: "second", text: SAID });
    expect(attempts.map(({ model }) => model)).toEqual(["first", "second"]);
    expect(attempts[0]?.outcome).not.toBe("ok");
  });

  test("where nobody listens", async () => {
    const { gateway, attempts } = shared.open({
      first: {
        does: "ok",
        provider: { name: "gone", kind: "openai", baseUrl: "http://127.0.0.1:1", structuredOutputs: true },
        settings: { fallbacks: ["second"] },
      },
      second: { does: "ok" },
    });
    expect((await drained(gateway.stream(callOf()))).answer?.model).toBe("second");
    expect(outcomes(attempts)).toEqual(["first: connection", "second: ok"]);
  });

  test.each([
    ["stall-headers", { timeoutMs: 100 }],
    ["stall-after-0", { timeoutMs: 100 }],
  ])("sync, where the whole answer is late: %s", async (does, settings) => {
    // A sync answer has no first token, so that only the whole deadline counts.
    const { gateway, attempts } = pair(does === "stall-after-0" ? "stall-headers" : does, settings);
    expect((await gateway.generate(callOf())).model).toBe("second");
    expect(outcomes(attempts)).toEqual(["first: timeout", "second: ok"]);
  });

  test.each(["stall-headers", "stall-after-0"])(
    "streamed, where the first token is late: %s",
    async (does) => {
      const { gateway, attempts } = pair(does, { firstTokenMs: 100 });
      expect((await drained(gateway.stream(callOf()))).answer?.model).toBe("second");
      expect(outcomes(attempts)).toEqual(["first: timeout", "second: ok"]);
    },
  );

  test("in the order of the manifest, and each model once", async () => {
    const { gateway, attempts } = shared.open({
      first: { does: "500", settings: { fallbacks: ["second", "third", "second"] } },
      second: { does: "429", settings: { fallbacks: ["first"] } },
      third: { does: "ok" },
    });
    expect((await gateway.generate(callOf())).model).toBe("third");
    expect(outcomes(attempts)).toEqual(["first: server_error", "second: rate_limited", "third: ok"]);
  });
});

describe("no other model answers", () => {
  test.each([
    ["400", "refused", "model_refused"],
    ["422", "refused", "model_refused"],
    ["401", "unauthorized", "model_refused"],
    ["404", "unauthorized", "model_refused"],
  ])("to what is refused with %s", async (does, outcome, code) => {
    const { gateway, attempts } = pair(does, { retries: 2 });
    expect(await errorOf(gateway.generate(callOf()))).toMatchObject({ code, retryable: false });
    expect(outcomes(attempts)).toEqual([`first: ${outcome}`]);
  });

  test("where the call does not want it", async () => {
    const { gateway, attempts } = pair("503");
    const error = await errorOf(gateway.generate(callOf({ disableFallbacks: true })));
    expect(error).toMatchObject({ code: "AGT_002", retryable: true });
    expect(outcomes(attempts)).toEqual(["first: server_error"]);
    expect(shared.server.requests.at(-1)?.body).not.toContain('"ok"');
  });

  test("after the first token: the error says that the answer broke off", async () => {
    for (const does of ["slow-30+cut-after-3", "slow-30+error-after-3", "stall-after-3"]) {
      const { gateway, attempts } = pair(does, { retries: 3, timeoutMs: 2_000 });
      const { text, answer, error } = await drained(gateway.stream(callOf()));
      // A cut may take the last tokens with it.
      expect("You said: one").toContain(text);
      expect(text).not.toBe("");
      expect(answer).toBeUndefined();
      expect(error).toMatchObject({ code: "model_interrupted", retryable: true });
      expect(attempts).toHaveLength(1);
      expect(attempts[0]).toMatchObject({ model: "first", used: { failed: 1, estimated: 1 } });
      expect(attempts[0]?.used.outputTokens).toBeGreaterThan(0);
    }
  });

  test("after a tool was called", async () => {
    const { gateway } = pair("tool-price+errors");
    const { parts, error } = await drained(gateway.stream(callOf()));
    expect(error).toBeUndefined();
    expect(parts[0]).toEqual({
      type: "tool_call",
      call: { id: "call_1", name: "price", input: { limit: 3 } },
    });
    expect(parts.at(-1)).toMatchObject({ answer: { finish: "tool_calls", model: "first", text: "" } });
  });

  test("to arguments of a tool that are no JSON", async () => {
    const { gateway } = pair("tool-price+tool-broken");
    expect(await errorOf(gateway.generate(callOf()))).toMatchObject({ code: "model_output_invalid" });
  });
});

describe("one model is asked again", () => {
  test("as often as it has retries, before the next one is", async () => {
    const { gateway, attempts } = pair("503", { retries: 1 });
    expect((await gateway.generate(callOf())).model).toBe("second");
    expect(outcomes(attempts)).toEqual(["first: server_error", "first: server_error", "second: ok"]);
  });

  test("and answers: 429 without a header, or with a short one", async () => {
    for (const does of ["429~ok", "429+retry-after-0~ok", "500~ok", "cut-after-0~ok", "empty~ok"]) {
      const { gateway, attempts } = pair(does, { retries: 1 });
      expect([does, (await drained(gateway.stream(callOf()))).answer?.model]).toEqual([does, "first"]);
      expect(attempts).toHaveLength(2);
    }
  });

  test("not where it wants to be left alone for long, nor after a time-out", async () => {
    const patient = pair("429+retry-after-30", { retries: 3 });
    expect((await patient.gateway.generate(callOf())).model).toBe("second");
    expect(patient.attempts).toHaveLength(2);
    const slow = pair("stall-headers", { retries: 3, timeoutMs: 100 });
    expect((await slow.gateway.generate(callOf())).model).toBe("second");
    expect(slow.attempts).toHaveLength(2);
  });

  test("where nobody can answer, the caller hears when to come again", async () => {
    const { gateway } = shared.open({ only: { does: "429+retry-after-30" } });
    const error = await errorOf(gateway.generate(callOf()));
    expect(error).toMatchObject({ code: "AGT_002", status: 503, headers: { "retry-after": "30" } });
  });
});

test("a storm of refusals, with and without the header, is answered by the fallback", async () => {
  const { gateway } = shared.open(
    {
      storm: { does: "429", settings: { fallbacks: ["headed", "calm"] } },
      headed: { does: "429+retry-after-9" },
      calm: { does: "ok" },
    },
    { breaker: { failures: 1_000, restMs: 60_000 } },
  );
  const answers = await Promise.all(Array.from({ length: 40 }, () => gateway.generate(callOf())));
  expect(new Set(answers.map(({ model }) => model))).toEqual(new Set(["calm"]));
});

describe("a breaker", () => {
  test("opens after failures in a row: its model is not asked any more", async () => {
    const { gateway, attempts } = pair("500", {}, { breaker: { failures: 3, restMs: 600_000 } });
    for (let n = 0; n < 5; n++) expect((await gateway.generate(callOf())).model).toBe("second");
    expect(attempts.filter(({ model }) => model === "first").map(({ outcome }) => outcome)).toEqual([
      "server_error",
      "server_error",
      "server_error",
      "breaker_open",
      "breaker_open",
    ]);
    expect(await gateway.list(["rules", "first", "second"], { tenant: "acme" })).toEqual([
      { id: "rules", default: false },
      { id: "first", default: true, healthy: false, reason: "breaker_open" },
      { id: "second", default: false, healthy: true },
    ]);
  });

  test("lets one attempt through after its rest, and closes when that is answered", async () => {
    const { gateway, attempts } = pair("500~500~ok", {}, { breaker: { failures: 2, restMs: 0 } });
    for (let n = 0; n < 3; n++) await gateway.generate(callOf());
    expect(attempts.at(-1)).toMatchObject({ model: "first", outcome: "ok" });
    expect(await gateway.list(["first"], { tenant: "acme" })).toMatchObject([{ healthy: true }]);
  });

  test("does not mind requests that are refused", async () => {
    const { gateway } = pair("400", {}, { breaker: { failures: 1, restMs: 600_000 } });
    for (let n = 0; n < 3; n++) await errorOf(gateway.generate(callOf()));
    expect(await gateway.list(["first"], { tenant: "acme" })).toMatchObject([{ healthy: true }]);
  });
});

describe("a caller who goes away", () => {
  test("ends the request to the model, which counts", async () => {
    const { gateway, attempts, reports } = pair("slow-20");
    const before = shared.server.aborted;
    for await (const part of gateway.stream(callOf())) if (part.type === "text") break;
    expect(outcomes(attempts)).toEqual(["first: cancelled"]);
    expect(attempts[0]?.used).toMatchObject({ calls: 1, estimated: 1 });
    expect(reports).toMatchObject([{ outcome: "cancelled" }]);
    while (shared.server.aborted === before) await new Promise((resolve) => setImmediate(resolve));
  });

  test("by a signal gets neither a retry nor a fallback", async () => {
    const { gateway, attempts } = pair("stall-headers", { retries: 3 });
    const abort = new AbortController();
    const asked = shared.server.requests.length;
    const answer = errorOf(gateway.generate(callOf({ signal: abort.signal })));
    while (shared.server.requests.length === asked) await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    expect(await answer).toMatchObject({ code: "cancelled" });
    expect(outcomes(attempts)).toEqual(["first: cancelled"]);
  });
});

test("rules, and a model that agents alone know, are not asked", async () => {
  const { gateway } = shared.open({ first: { does: "ok" } });
  expect(gateway.asks(callOf({ hint: "rules" }))).toBe(false);
  expect(gateway.asks(callOf())).toBe(true);
  expect(await errorOf(gateway.generate(callOf({ hint: "rules" })))).toMatchObject({ code: "AGT_002" });
});

test("a model whose key is missing is passed over", async () => {
  const provider = {
    name: "keyed",
    kind: "openai" as const,
    baseUrl: shared.server.url,
    keyEnv: "NO_SUCH_KEY",
    structuredOutputs: true,
  };
  const { gateway, attempts } = shared.open({
    first: { does: "ok", provider, settings: { fallbacks: ["second"] } },
    second: { does: "ok" },
  });
  expect((await gateway.generate(callOf())).model).toBe("second");
  expect(outcomes(attempts)).toEqual(["first: no_key", "second: ok"]);
  expect(await gateway.list(["first"], { tenant: "acme" })).toMatchObject([
    { healthy: false, reason: "no_key" },
  ]);
});
