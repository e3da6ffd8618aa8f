import { afterEach, describe, expect, test } from "@jest/globals";
import { quick } from "../test/support/client.ts";
import { sendError, sendJson, startServer, type TestServer, until } from "../test/support/server.ts";
import { ApiError, createClient, type InterlockClient, InterlockError } from "./index.ts";

let server: TestServer;
afterEach(async () => await server?.close());

const HASH = "0".repeat(64);
type Row = [what: string, act: (client: InterlockClient) => Promise<unknown>, wire: string, body?: unknown];
const ROWS: Row[] = [
  ["runs.get", (client) => client.runs.get("r"), "GET /api/v1/runs/r"],
  ["runs.list", (client) => client.runs.list(), "GET /api/v1/runs"],
  [
    "runs.list of some",
    (client) => client.runs.list({ state: "paused", sessionId: "s", limit: 2, before: "1_r" }),
    "GET /api/v1/runs?state=paused&limit=2&before=1_r&session_id=s",
  ],
  [
    "runs.list by what they were",
    (client) =>
      client.runs.list({ flow: "f", agent: "a", code: "timeout", subject: "i:ann", from: "2026-11-22" }),
    "GET /api/v1/runs?flow=f&agent=a&code=timeout&subject=i%3Aann&from=2026-11-22",
  ],
  [
    "runs.start with a flow",
    (client) =>
      client.runs.start({ sessionId: "s", flow: "f", goals: ["g"], inputs: { a: 1 }, multitask: "enqueue" }),
    "POST /api/v1/runs?multitask=enqueue",
    { session_id: "s", flow: "f", goals: ["g"], inputs: { a: 1 } },
  ],
  [
    "runs.start with a message",
    (client) => client.runs.start({ sessionId: "s", message: "hello" }),
    "POST /api/v1/runs",
    { session_id: "s", message: "hello" },
  ],
  ["runs.cancel", (client) => client.runs.cancel("r"), "POST /api/v1/runs/r/cancel", {}],
  [
    "approvals.list",
    (client) => client.approvals.list({ state: "pending", limit: 5, before: "1_a" }),
    "GET /api/v1/approvals?state=pending&limit=5&cursor=1_a",
  ],
  ["approvals.get", (client) => client.approvals.get("a"), "GET /api/v1/approvals/a"],
  [
    "approvals.decide",
    (client) => client.approvals.decide("a", { decision: "approve", proposalHash: HASH, note: "fine" }),
    "POST /api/v1/approvals/a/decision",
    { decision: "approve", proposal_hash: HASH, note: "fine" },
  ],
  ["approvals.withdraw", (client) => client.approvals.withdraw("a"), "POST /api/v1/approvals/a/withdraw", {}],
  ["sessions.list", (client) => client.sessions.list({ limit: 3 }), "GET /api/v1/sessions?limit=3"],
  ["sessions.get", (client) => client.sessions.get("s", { limit: 3 }), "GET /api/v1/sessions/s?limit=3"],
  ["sessions.reset", (client) => client.sessions.reset("s"), "POST /api/v1/sessions/s/reset", {}],
  ["agents.list", (client) => client.agents.list(), "GET /api/v1/agents"],
  ["tools.list", (client) => client.tools.list(), "GET /api/v1/chat/tools"],
  ["models.list", (client) => client.models.list(), "GET /api/v1/chat/models"],
];

const REQUESTS = ROWS.map(([what, act, wire, body]) => ({ what, act, wire, body }));

describe("requests", () => {
  test.each(REQUESTS)("$what", async ({ act, wire, body }) => {
    server = await startServer((_seen, res) => sendJson(res, { the: "answer" }));
    expect(await act(createClient(quick(server.url)))).toEqual({ the: "answer" });
    const [seen] = server.seen;
    const query = seen?.query.size ? `?${seen.query}` : "";
    expect(`${seen?.method} ${seen?.path}${query}`).toBe(wire);
    expect(seen?.body).toEqual(body);
    // A retried POST must not take effect twice.
    expect(seen?.headers["idempotency-key"] !== undefined).toBe(seen?.method === "POST");
  });

  test("keep their Idempotency-Key over all attempts", async () => {
    server = await startServer((_seen, res) => {
      if (server.seen.length === 1) res.destroy();
      else if (server.seen.length === 2) sendError(res, 503, "store_unavailable", { retryable: true });
      else sendJson(res, { run_id: "r" }, 202);
    });
    const client = createClient(quick(server.url));
    expect(await client.runs.start({ sessionId: "s", flow: "f" })).toEqual({ run_id: "r" });
    const keys = server.seen.map((seen) => seen.headers["idempotency-key"]);
    expect(keys.length).toBe(3);
    expect(new Set(keys).size).toBe(1);
    await client.runs.start({ sessionId: "s", flow: "f" }, { idempotencyKey: "mine" });
    expect(server.seen[3]?.headers["idempotency-key"]).toBe("mine");
  });

  test("go below the path of the base URL", async () => {
    server = await startServer((_seen, res) => sendJson(res, []));
    await createClient(quick(`${server.url}/mesh/`)).tools.list();
    expect(server.seen[0]?.path).toBe("/mesh/api/v1/chat/tools");
  });

  test("go to the page's own origin if the base URL is empty", async () => {
    const urls: string[] = [];
    const fetch = async (url: string) => {
      urls.push(url);
      return Response.json([]);
    };
    await createClient({ baseUrl: "", fetch }).tools.list();
    expect(urls).toEqual(["/api/v1/chat/tools"]);
  });

  test("are aborted at once", async () => {
    server = await startServer((_seen, res) => void res.writeHead(200).write("{"));
    const controller = new AbortController();
    const reading = createClient(quick(server.url)).runs.get("r", { signal: controller.signal });
    await until(() => server.seen.length === 1);
    controller.abort();
    await expect(reading).rejects.toMatchObject({ code: "aborted" });
    await until(() => server.open() === 0);
  });
});

describe("errors", () => {
  test("carry the code, status, ids and details of the gateway's error", async () => {
    const winner = { decision: "approved", by: "ada", at: "2026-01-02T03:04:05.000Z" };
    server = await startServer((_seen, res) => sendError(res, 409, "conflict", { extra: { winner } }));
    const error: unknown = await createClient(quick(server.url))
      .approvals.decide("a", { decision: "reject", proposalHash: HASH })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf(InterlockError);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: "ApiError",
      code: "conflict",
      message: "It is conflict.",
      status: 409,
      retryable: false,
      requestId: "request-1",
      details: { winner },
    });
    expect(server.seen.length).toBe(1);
  });

  test("of a proxy carry its status; a 502 is retried, a 404 is not", async () => {
    server = await startServer((_seen, res) =>
      res.writeHead(server.seen.length === 1 ? 502 : 404, { "x-request-id": "edge-1" }).end("<h1>Oh</h1>"),
    );
    await expect(createClient(quick(server.url)).runs.get("r")).rejects.toMatchObject({
      code: "http_error",
      status: 404,
      retryable: false,
      requestId: "edge-1",
      message: "The answer has the status 404.",
    });
    expect(server.seen.length).toBe(2);
  });

  test.each([
    ["not JSON", "<h1>Welcome</h1>", {}],
    ["not UTF-8", Buffer.from([0x22, 0xff, 0x22]), {}],
    ["too large", JSON.stringify("x".repeat(2_000)), { maxResponseBytes: 1_000 }],
  ])("an answer that is %s is refused", async (_, body, more) => {
    server = await startServer((_seen, res) => res.end(body));
    const client = createClient(quick(server.url, more));
    await expect(client.runs.get("r")).rejects.toMatchObject({ code: "response_invalid", retryable: false });
  });

  test("a truncated answer is requested again; a stalled one times out", async () => {
    server = await startServer((_seen, res) => {
      if (server.seen.length === 1)
        res.writeHead(200, { "content-length": "9" }).write("[", () => res.destroy());
      else if (server.seen.length === 2) sendJson(res, []);
      else res.writeHead(200).write("[");
    });
    const retry = { maxAttempts: 1 };
    expect(await createClient(quick(server.url, { retry })).tools.list()).toEqual([]);
    const hasty = createClient(quick(server.url, { requestTimeoutMs: 50, retry }));
    await expect(hasty.tools.list()).rejects.toMatchObject({ code: "timeout", retryable: true });
  });

  test("a redirect is not followed, so that credentials reach the gateway alone", async () => {
    server = await startServer((_seen, res) => res.writeHead(307, { location: "/elsewhere" }).end());
    const redirected = { code: "http_error", status: 307, retryable: false };
    await expect(createClient(quick(server.url)).tools.list()).rejects.toMatchObject(redirected);
    expect(server.seen.length).toBe(1);
  });

  test("invalid arguments are refused before any request is sent", async () => {
    server = await startServer((_seen, res) => sendJson(res, {}));
    const client = createClient(quick(server.url));
    const refused = { code: "invalid_argument" };
    await expect(client.runs.get("../sessions")).rejects.toMatchObject(refused);
    await expect(client.runs.cancel("")).rejects.toMatchObject(refused);
    await expect(client.approvals.get("a/b")).rejects.toMatchObject(refused);
    await expect(client.sessions.get("x".repeat(65))).rejects.toMatchObject(refused);
    expect(() => client.runs.events("r", { after: -1 })).toThrow(expect.objectContaining(refused));
    for (const baseUrl of ["ftp://mesh", "http://mesh?x=1", "http://", "mesh", "//mesh"])
      expect(() => createClient({ baseUrl })).toThrow(expect.objectContaining(refused));
    expect(() => createClient({ baseUrl: "", idleTimeoutMs: 0 })).toThrow(expect.objectContaining(refused));
    expect(() => createClient({ baseUrl: "", retry: { maxAttempts: -1 } })).toThrow(
      expect.objectContaining(refused),
    );
    const none = () => {
      throw new Error("no token");
    };
    for (const bad of [
      { headers: { "x-trace": "a\nb" } },
      { token: "secret\nb" },
      { headers: none },
      { token: none },
    ]) {
      const failure = await createClient(quick(server.url, bad))
        .tools.list()
        .catch((error: unknown) => error);
      expect(failure).toMatchObject(refused);
      expect(String(failure)).not.toContain("secret");
    }
    const circular: Record<string, unknown> = {};
    circular.inputs = circular;
    await expect(
      client.runs.start({ sessionId: "s", message: "hello", inputs: circular }),
    ).rejects.toMatchObject(refused);
    expect(server.seen).toEqual([]);
  });
});
