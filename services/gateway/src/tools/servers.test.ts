import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "../../test/support/closing.ts";
import { httpIssuer } from "../../test/support/http-issuer.ts";
import { type Resources, text, type WildTool, wildServer } from "../../test/support/mcp.ts";
import { callerOf, judging, type RoomOptions, toolRoom } from "../../test/support/tool-room.ts";
import { until } from "../../test/support/until.ts";
import { ToolError } from "./index.ts";

const keep = closingAtEnd();
const use = closing();
const values = keep(judging());
const ECHO: WildTool = { name: "echo", description: "Says what it is told." };

async function roomOf(
  tools: WildTool[],
  { server, ...more }: Partial<RoomOptions> & { server?: object } = {},
) {
  const wild = use(await wildServer(tools));
  const room = use(toolRoom({ values, servers: { wild: { url: wild.url, ...server } }, ...more }));
  await room.servers.start();
  return { wild, room, ...room };
}

/** What a call fails with. */
async function failure(call: Promise<unknown>): Promise<ToolError> {
  const error: unknown = await call.then(
    () => undefined,
    (error) => error,
  );
  if (error instanceof ToolError) return error;
  throw new Error(`not a ToolError: ${error}`);
}

describe("discovery", () => {
  test("finds the tools of all pages, and calls them", async () => {
    const many = Array.from({ length: 7 }, (_, at) => ({ name: `tool_${at}`, description: `The ${at}th.` }));
    const wild = use(await wildServer(many, { pageSize: 3 }));
    const room = use(toolRoom({ values, servers: { wild: { url: wild.url } } }));
    await room.servers.start();
    expect(room.names()).toEqual(many.map(({ name }) => `wild.${name}`));
    const { result } = await room.call("wild.tool_6", { a: 1 });
    expect(result).toEqual({ content: [{ type: "text", text: '{"a":1}' }], isError: false });
  });

  test("leaves out what has no proper name, and what is larger than anybody would read", async () => {
    const { names } = await roomOf([
      ECHO,
      { name: "has space" },
      { name: "large", description: "x".repeat(70_000) },
      {
        name: "deep",
        inputSchema: JSON.parse(`{"type":"object","x":${"[".repeat(200)}${"]".repeat(200)}}`),
      },
    ]);
    expect(names()).toEqual(["wild.echo"]);
  });

  test("hears of changes", async () => {
    const tools: WildTool[] = [ECHO];
    const { wild, names } = await roomOf(tools);
    await until(() => wild.streams() > 0);
    tools.push({ name: "late", description: "Comes later." });
    wild.changed();
    await until(() => names().includes("wild.late"));
  });

  test("reads definitions again once they are old", async () => {
    const tools: WildTool[] = [ECHO];
    const { names } = await roomOf(tools, { timing: { intervalMs: 10, definitionsMs: 30 } });
    tools.push({ name: "late", description: "Comes later." });
    await until(() => names().includes("wild.late"));
  });

  test("of several servers is parallel, and one that hangs keeps nobody waiting", async () => {
    const [wild, hangs] = [use(await wildServer([ECHO])), use(await wildServer([ECHO]))];
    hangs.wild.instead = () => true;
    const room = use(
      toolRoom({
        values,
        servers: { hangs: { url: hangs.url }, wild: { url: wild.url } },
        timing: { checkMs: 20_000 },
      }),
    );
    void room.servers.start();
    await room.status("wild", "ready");
    expect(room.names()).toEqual(["wild.echo"]);
    expect(room.servers.servers.map(({ status }) => status)).toEqual(["unknown", "ready"]);
  });
});

describe("a server that goes away", () => {
  test("is listed as unavailable with its tools, and comes back by itself", async () => {
    const { wild, room, call } = await roomOf([ECHO]);
    await wild.stop();
    expect(await failure(call("wild.echo"))).toMatchObject({ code: "unavailable", retryable: true });
    await room.status("wild", "unavailable");
    expect(room.tools.list(callerOf())).toMatchObject([{ name: "wild.echo", available: false }]);
    expect(await failure(call("wild.echo"))).toMatchObject({ code: "unavailable" });
    use(await wildServer([ECHO, { name: "new", description: "Is new." }], { port: wild.port }));
    await room.status("wild", "ready");
    expect(room.names()).toEqual(["wild.echo", "wild.new"]);
    expect((await call("wild.echo")).result.isError).toBe(false);
  });

  test("and is not there at the start, is found once it is", async () => {
    const gone = await wildServer([]);
    await gone.stop();
    const room = use(toolRoom({ values, servers: { wild: { url: gone.url } } }));
    await room.servers.start();
    expect(room.servers.servers[0]?.status).toBe("unavailable");
    use(await wildServer([ECHO], { port: gone.port }));
    await room.status("wild", "ready");
    expect(room.names()).toEqual(["wild.echo"]);
  });

  test("in the middle of an answer fails the call at once", async () => {
    const { call } = await roomOf([
      {
        name: "breaks",
        answer: ({ res, progress }) => {
          progress(1, 2);
          setImmediate(() => res.destroy());
          return undefined;
        },
      },
    ]);
    expect(await failure(call("wild.breaks"))).toMatchObject({ code: "unavailable" });
  });

  test("and has forgotten the session, gets a new one, and the call is made once", async () => {
    const { wild, call } = await roomOf([ECHO]);
    const before = wild.sessions();
    wild.forgetSessions();
    expect((await call("wild.echo", { n: 1 })).result.content).toEqual([{ type: "text", text: '{"n":1}' }]);
    expect(wild.sessions()).toBe(before + 1);
    expect(wild.seen).toHaveLength(1);
  });

  test("and comes back with another definition, is not called by the old one", async () => {
    const tools: WildTool[] = [ECHO];
    const { wild, call } = await roomOf(tools);
    tools[0] = { ...ECHO, description: "Deletes what it is told." };
    wild.forgetSessions();
    expect(await failure(call("wild.echo"))).toMatchObject({ code: "unknown_tool" });
    expect(wild.seen).toEqual([]);
  });
});

describe("a call", () => {
  test("tells how far it is", async () => {
    const { call } = await roomOf([
      {
        name: "steps",
        answer: async ({ progress }) => {
          progress(1, 2);
          progress(2, 2);
          return text("done");
        },
      },
    ]);
    const told: unknown[] = [];
    await call("wild.steps", {}, { onProgress: ({ progress, total }) => told.push([progress, total]) });
    expect(told).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  test("that takes too long is over, also at the server", async () => {
    const gone = Promise.withResolvers<void>();
    const { call } = await roomOf(
      [
        {
          name: "slow",
          answer: ({ gone: signal }) => void signal.addEventListener("abort", () => gone.resolve()),
        },
      ],
      { server: { limits: { timeout_ms: 100 } } },
    );
    expect(await failure(call("wild.slow"))).toMatchObject({ code: "timeout" });
    await gone.promise;
  });

  test("that nobody waits for any more is over, also at the server", async () => {
    const [begun, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { call } = await roomOf([
      {
        name: "slow",
        answer: ({ gone: signal }) => {
          signal.addEventListener("abort", () => gone.resolve());
          begun.resolve();
        },
      },
    ]);
    const stop = new AbortController();
    const called = call("wild.slow", {}, { signal: stop.signal });
    await begun.promise;
    stop.abort(new Error("enough"));
    await expect(called).rejects.toThrow("enough");
    await gone.promise;
  });

  test.each([
    ["JSON", undefined],
    ["a stream", 1],
  ])("whose result is huge ends while it comes, as %s, and hurts no other", async (_kind, before) => {
    const { call } = await roomOf(
      [
        ECHO,
        {
          name: "huge",
          answer: ({ progress }) => {
            if (before) progress(before, 2);
            return text("x".repeat(2_000_000));
          },
        },
      ],
      { server: { limits: { max_result_bytes: 100_000 } } },
    );
    const [huge, echo] = await Promise.all([failure(call("wild.huge")), call("wild.echo")]);
    expect(huge).toMatchObject({ code: "result_too_large", retryable: false });
    expect(echo.result.isError).toBe(false);
  });

  test("runs beside so many others as the server may have", async () => {
    let most = 0;
    let now = 0;
    const { call } = await roomOf(
      [
        {
          name: "busy",
          answer: async () => {
            now += 1;
            most = Math.max(most, now);
            await sleep(5);
            now -= 1;
            return text("done");
          },
        },
      ],
      { server: { limits: { max_concurrency: 2 } } },
    );
    await Promise.all(Array.from({ length: 8 }, () => call("wild.busy")));
    expect(most).toBe(2);
  });

  test("is not made with arguments that the schema refuses; the error has the schema's words and not the values", async () => {
    const inputSchema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: { month: { type: "integer", maximum: 12 } },
      required: ["month"],
    };
    const { wild, call } = await roomOf([{ name: "sales", inputSchema }]);
    const wrong = await failure(call("wild.sales", { month: 4711 }));
    expect(wrong).toMatchObject({ code: "invalid_arguments" });
    expect(wrong.message).toBe(
      "The arguments are not what the tool's schema says: /month must be at most 12.",
    );
    expect((await failure(call("wild.sales"))).message).toContain("/month is required");
    expect(wild.seen).toEqual([]);
  });

  test("with a schema that takes for ever to check fails, and does not hold the gateway", async () => {
    const inputSchema = { type: "object", properties: { text: { type: "string", pattern: "^(a+)+$" } } };
    const { call } = await roomOf([{ name: "trap", inputSchema }]);
    const turns = new Set<number>();
    const timer = setInterval(() => turns.add(turns.size), 50);
    const wrong = await failure(call("wild.trap", { text: `${"a".repeat(60)}!` }));
    clearInterval(timer);
    expect(wrong).toMatchObject({ code: "invalid_arguments" });
    expect(turns.size).toBeGreaterThan(5);
  });

  test.each<[what: string, structured: object]>([
    ["another type", { structuredContent: { total: "much" } }],
    ["none", {}],
  ])("whose structured content is %s has no result", async (_what, structured) => {
    const outputSchema = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };
    const { call } = await roomOf([
      { name: "sum", outputSchema, answer: () => ({ ...text("?"), ...structured }) },
    ]);
    expect(await failure(call("wild.sum"))).toMatchObject({ code: "invalid_result" });
  });

  test("with structured content that fits has it", async () => {
    const outputSchema = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };
    const answer = () => ({ ...text("3"), structuredContent: { total: 3 } });
    const { call } = await roomOf([{ name: "sum", outputSchema, answer }]);
    expect((await call("wild.sum")).result).toMatchObject({ structured: { total: 3 } });
  });

  test("may have content of the types that are allowed, and no other", async () => {
    const image = (mimeType: string) => () => ({ content: [{ type: "image", mimeType, data: "AAAA" }] });
    const { call } = await roomOf([
      { name: "png", answer: image("image/png") },
      { name: "svg", answer: image("image/svg+xml") },
    ]);
    expect((await call("wild.png")).result.content).toMatchObject([{ type: "image", mimeType: "image/png" }]);
    expect(await failure(call("wild.svg"))).toMatchObject({ code: "invalid_result" });
  });

  test.each<[what: string, status: number, type: string, code: string]>([
    ["a page", 200, "text/html", "invalid_result"],
    ["403", 403, "text/plain", "refused"],
    ["500", 500, "text/plain", "unavailable"],
  ])("that is answered with %s fails", async (_what, status, type, code) => {
    const answer: WildTool["answer"] = ({ res }) =>
      void res.writeHead(status, { "content-type": type }).end("hm");
    const { call } = await roomOf([{ name: "odd", answer }]);
    expect(await failure(call("wild.odd"))).toMatchObject({ code });
  });

  test("that the server refuses fails without the server's words", async () => {
    const answer: WildTool["answer"] = ({ res, id }) => {
      res.writeHead(200, { "content-type": "application/json" });
      res.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32000, message: "secret 4711" } }));
    };
    const { call } = await roomOf([{ name: "odd", answer }]);
    const refused = await failure(call("wild.odd"));
    expect(refused).toMatchObject({ code: "refused" });
    expect(refused.message).not.toContain("4711");
  });

  test("of a tool that fails has a result that says so", async () => {
    const { call } = await roomOf([
      { name: "fails", answer: () => ({ ...text("no such table"), isError: true }) },
    ]);
    expect((await call("wild.fails")).result).toMatchObject({ isError: true });
  });
});

describe("a link in a result", () => {
  const link = (uri: string) => ({ type: "resource_link", uri, name: "more" });
  const ROWS = { uri: "rows:1", mimeType: "text/csv", blob: Buffer.from("month,sales\n").toString("base64") };
  const linksTo =
    (...uris: string[]) =>
    () => ({ content: uris.map(link) });

  const SOON = { timeout_ms: 1_000 };

  /** The call itself may take longer than that on a busy machine. */
  async function inTime<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof ToolError && error.code === "timeout")) throw error;
      }
    }
  }

  test("is read at the server that gave it, for whoever has called, and never at its address", async () => {
    const other = use(await wildServer([]));
    const resources = { "rows:1": [ROWS, { uri: "rows:1/note", text: "Rounded." }], [other.url]: [ROWS] };
    const wild = use(
      await wildServer([{ name: "rows", answer: linksTo("rows:1", other.url, "rows:1") }], { resources }),
    );
    const servers = { wild: { url: wild.url, identity: "signed" as const } };
    const { servers: running, call } = use(toolRoom({ values, servers }));
    await running.start();
    const { result } = await call("wild.rows", {}, { idempotencyKey: "once" });
    expect(result.content).toMatchObject([
      { type: "link", uri: "rows:1" },
      { type: "resource", mimeType: "text/csv", blob: ROWS.blob },
      { type: "resource", mimeType: "text/plain", text: "Rounded." },
      { type: "link", uri: other.url },
      { type: "resource", blob: ROWS.blob },
      { type: "link", uri: "rows:1" },
    ]);
    expect(other.authorizations).toEqual([]);
    // It is the caller's reading, and not the call once more.
    const meta = { "interlock/caller": "for mcp:wild by ann" };
    expect(wild.reads).toEqual([
      { uri: "rows:1", meta },
      { uri: other.url, meta },
    ]);
    expect(wild.seen).toHaveLength(1);
  });

  test.each<[what: string, contents: Resources[string] | undefined, unread: string]>([
    ["is not there", undefined, "refused"],
    ["is of a type that is not allowed", [{ ...ROWS, mimeType: "image/svg+xml" }], "invalid_result"],
    ["is too large", [{ uri: "x:1", text: "x".repeat(70_000) }], "result_too_large"],
    ["takes too long", "silence", "timeout"],
  ])("to what %s stays a link, and the call has its result", async (_what, contents, unread) => {
    const resources = contents ? { "x:1": contents } : {};
    const wild = use(await wildServer([{ name: "rows", answer: linksTo("x:1") }], { resources }));
    const limits = { max_result_bytes: 65_536, ...(contents === "silence" ? SOON : {}) };
    const { servers, call } = use(toolRoom({ values, servers: { wild: { url: wild.url, limits } } }));
    await servers.start();
    expect((await inTime(() => call("wild.rows"))).result).toEqual({
      content: [{ type: "link", uri: "x:1", name: "more", unread }],
      isError: false,
    });
  });

  test("is one of eight that are read, within the bytes of one result", async () => {
    const uris = Array.from({ length: 10 }, (_, at) => `x:${at}`);
    const page = (uri: string) => [uri, [{ uri, text: "x".repeat(uri === "x:1" ? 40_000 : 1_000) }]];
    const resources: Resources = {
      ...Object.fromEntries(uris.map(page)),
      big: [{ uri: "big", text: "x".repeat(40_000) }],
    };
    const wild = use(
      await wildServer(
        [
          { name: "many", answer: linksTo(...uris) },
          { name: "much", answer: linksTo("x:1", "big", "x:2") },
        ],
        { resources },
      ),
    );
    const limits = { max_result_bytes: 65_536 };
    const { servers, call } = use(toolRoom({ values, servers: { wild: { url: wild.url, limits } } }));
    await servers.start();
    const read = async (name: string) =>
      (await call(name)).result.content.flatMap((one) => (one.type === "resource" ? one.uri : []));
    expect(await read("wild.many")).toEqual(uris.slice(0, 8));
    expect(await read("wild.much")).toEqual(["x:1", "x:2"]);
  });

  test("of a server without resources is not asked for, and one that was not read in time is asked for again", async () => {
    const annotations = { readOnlyHint: true, idempotentHint: true };
    const none = use(await wildServer([{ name: "rows", annotations, answer: linksTo("x:1") }]));
    const slow = use(
      await wildServer([{ name: "rows", annotations, answer: linksTo("x:1") }], {
        resources: { "x:1": "silence" },
      }),
    );
    const servers = { none: { url: none.url }, slow: { url: slow.url, limits: SOON } };
    const { servers: running, call } = use(toolRoom({ values, servers }));
    await running.start();
    for (const cache of ["miss", "hit"]) expect(await call("none.rows")).toMatchObject({ cache });
    expect(none.reads).toEqual([]);
    for (const _ of [1, 2]) expect(await inTime(() => call("slow.rows"))).toMatchObject({ cache: "miss" });
  });
});

describe("where definitions are pinned", () => {
  const PINNED = { tools: { pin: true } };
  const schema = { inputSchema: { type: "object" } };
  const known = { "wild.echo": { ...ECHO, ...schema } };

  test("a tool is offered as it was accepted, and put aside once it is another one", async () => {
    const tools: WildTool[] = [ECHO, { name: "new", description: "Is new." }];
    const told: string[] = [];
    const timing = { onQuarantine: (tool: string) => void told.push(tool) };
    const {
      wild,
      call,
      names,
      tools: offered,
    } = await roomOf(tools, { manifest: PINNED, accepted: known, timing });
    expect([names(), told]).toEqual([["wild.echo"], ["wild.new"]]);
    expect(await failure(call("wild.new"))).toMatchObject({ code: "unknown_tool" });
    await until(() => wild.streams() > 0);
    tools[0] = { ...ECHO, inputSchema: { type: "object", properties: { secret: { type: "string" } } } };
    wild.changed();
    await until(() => names().length === 0);
    expect(await failure(call("wild.echo"))).toMatchObject({ code: "unknown_tool" });
    expect(offered.listServers(callerOf())).toMatchObject([
      { tools: [], quarantined: ["wild.echo", "wild.new"] },
    ]);
    expect([told, wild.seen]).toEqual([["wild.new", "wild.echo"], []]);
    // As it was before, it is the one that was accepted.
    tools[0] = ECHO;
    wild.changed();
    await until(() => names().includes("wild.echo"));
  });

  test("nothing is offered before anything was accepted", async () => {
    const { names } = await roomOf([ECHO], { manifest: PINNED });
    expect(names()).toEqual([]);
  });
});

test("a tool whose name reads like another one's is flagged, and both can be called", async () => {
  const [one, two] = [
    use(await wildServer([{ name: "send_mail" }])),
    use(await wildServer([{ name: "sendMail" }, { name: "policy-check" }])),
  ];
  const { servers, tools, call } = use(
    toolRoom({ values, servers: { one: { url: one.url }, two: { url: two.url } } }),
  );
  await servers.start();
  expect(tools.list(callerOf()).map(({ name, flags }) => [name, flags])).toEqual([
    ["one.send_mail", []],
    ["two.sendMail", ["shadows"]],
    ["two.policy-check", ["shadows"]],
  ]);
  await call("one.send_mail");
  await call("two.sendMail");
  expect([one.seen.length, two.seen.length]).toEqual([1, 1]);
});

test("without servers nothing is loaded, opened or waited for", async () => {
  const index = new URL("./index.ts", import.meta.url).href;
  const program = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { ToolServers } = await import("${index}");
    const servers = new ToolServers({ tools: { servers: new Map(), pin: true, accepted: {} }, taken: [] });
    await servers.start();
    console.log(JSON.stringify([loaded.filter((url) => url.includes("@modelcontextprotocol")), process.getActiveResourcesInfo()]));
    await servers.close();`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  const [loaded, resources] = JSON.parse(stdout);
  expect(loaded).toEqual([]);
  expect(resources.filter((name: string) => /Timeout|TCP|Process/.test(name))).toEqual([]);
});

describe("a redirect", () => {
  test("of a call is refused, and nothing is sent on", async () => {
    const elsewhere = use(await wildServer([ECHO]));
    const { wild, call } = await roomOf([ECHO], {
      env: { TOKEN: "t" },
      server: { auth: { bearer_env: "TOKEN" } },
    });
    wild.wild.redirect = elsewhere.url;
    expect(await failure(call("wild.echo"))).toMatchObject({ code: "refused" });
    expect(elsewhere.authorizations).toEqual([]);
  });

  test("of the handshake makes the server unavailable", async () => {
    const elsewhere = use(await wildServer([ECHO]));
    const wild = use(await wildServer([ECHO]));
    wild.wild.redirect = elsewhere.url;
    const room = use(toolRoom({ values, servers: { wild: { url: wild.url } } }));
    await room.servers.start();
    expect(room.servers.servers[0]?.status).toBe("unavailable");
    expect(elsewhere.authorizations).toEqual([]);
  });
});

describe("the gateway proves itself", () => {
  test("by a bearer token, which is read anew", async () => {
    const env: Record<string, string> = { TOKEN: "first" };
    const { wild, call } = await roomOf([ECHO], { env, server: { auth: { bearer_env: "TOKEN" } } });
    env.TOKEN = "second";
    await call("wild.echo");
    expect(wild.authorizations.at(0)).toBe("Bearer first");
    expect(wild.authorizations.at(-1)).toBe("Bearer second");
  });

  test("without a token it is not well, and nothing is sent", async () => {
    const { wild, room } = await roomOf([ECHO], { server: { auth: { bearer_env: "TOKEN" } } });
    expect([room.servers.servers[0]?.status, wild.authorizations]).toEqual(["unavailable", []]);
  });

  /** An authorization server that gives out one token. */
  async function issuer(named?: string) {
    const one = use(await httpIssuer());
    const asked: (string | undefined)[] = [];
    one.answer("/.well-known/oauth-authorization-server", (_req, res) => {
      const [issuer, endpoint] = [named ?? one.url, `${one.url}/token`];
      res.setHeader("content-type", "application/json");
      res.end(
        JSON.stringify({
          ...{ issuer, token_endpoint: endpoint, authorization_endpoint: `${one.url}/authorize` },
          ...{ response_types_supported: ["code"], grant_types_supported: ["client_credentials"] },
        }),
      );
    });
    one.answer("/token", (req, res) => {
      asked.push(req.headers.authorization);
      res.setHeader("content-type", "application/json");
      res.end(JSON.stringify({ access_token: "granted", token_type: "Bearer", expires_in: 3600 }));
    });
    return { url: one.url, asked };
  }

  async function roomBehind(metadataOf: string, issuer: string) {
    const wild = use(await wildServer([ECHO]));
    wild.wild.instead = (req, res) => {
      const { url = "", headers } = req;
      if (url.startsWith("/.well-known/oauth-protected-resource")) {
        res.setHeader("content-type", "application/json");
        res.end(JSON.stringify({ resource: wild.url, authorization_servers: [metadataOf] }));
        return true;
      }
      if (headers.authorization === "Bearer granted") return false;
      res.writeHead(401, { "www-authenticate": "Bearer" }).end();
      return true;
    };
    const auth = { client_credentials: { issuer, client_id: "gateway", secret_env: "SECRET" } };
    const room = use(
      toolRoom({
        values,
        servers: { wild: { url: wild.url, auth } },
        env: { SECRET: "s3cr3t" },
        timing: { retryMs: 60_000 },
      }),
    );
    await room.servers.start();
    return room;
  }

  test("by client credentials", async () => {
    const { url, asked } = await issuer();
    const room = await roomBehind(url, url);
    expect((await room.call("wild.echo")).result.isError).toBe(false);
    expect(asked).toEqual([`Basic ${Buffer.from("gateway:s3cr3t").toString("base64")}`]);
  });

  test("to the issuer of the manifest alone, whatever the server says", async () => {
    const [own, other] = [await issuer(), await issuer()];
    const room = await roomBehind(other.url, own.url);
    expect([room.servers.servers[0]?.status, own.asked, other.asked]).toEqual(["unavailable", [], []]);
  });
});

test("a server that is told who asks gets the gateway's signature, and never the caller's token", async () => {
  const { wild, call } = await roomOf([ECHO], { server: { identity: "signed" } });
  await call("wild.echo");
  expect(wild.seen[0]?.meta).toMatchObject({ "interlock/caller": "for mcp:wild by ann" });
  expect(wild.seen[0]?.headers.authorization).toBeUndefined();
});

test("a place that egress does not allow is not connected to", async () => {
  const wild = use(await wildServer([ECHO]));
  const servers = { wild: { url: `http://localhost:${wild.port}/mcp` } };
  expect(() => toolRoom({ values, servers, manifest: { egress: { allow: ["10.0.0.0/8"] } } })).toThrow(
    /tools\.servers\.wild\.url: localhost is not on the public internet/,
  );
});
