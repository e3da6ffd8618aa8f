import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { as, eventsOf, get, post } from "./support/people.ts";
import { testRedis } from "./support/redis.ts";
import { chat, frontMesh, runOf, transcript } from "./support/remote.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
let redis: string;

beforeAll(async () => {
  redis = keep(await testRedis()).url;
});

const RUN = "abcdef0123456789abcdef0123456789";
const AT = "2026-01-15T09:30:00.000Z";
const line = (seq: number, type: string, more: string, data: object) =>
  `id: ${seq}\nevent: ${type}\ndata: {"run_id":"${RUN}","seq":${seq},"type":"${type}",${more}"at":"${AT}","data":${JSON.stringify(data)}}\n\n`;
const STARTED = line(1, "run_started", "", { session_id: "s", intent: "optimizer", model: "rules" });
const TOKEN = line(2, "token", '"node":"optimizer",', { text: "grüße 🙂 값" });
const PROGRESS = line(3, "progress", '"node":"optimizer",', { done: 1, of: 2 });
const END = {
  status: "ok",
  message: "Fertig: 🙂",
  tools_used: [],
  model: "rules",
  warnings: [],
};
const FINISHED = line(4, "run_finished", "", END);
const WHOLE = STARTED + TOKEN + PROGRESS + FINISHED;
const FRAMES = [STARTED, TOKEN, PROGRESS, FINISHED];

type Scripted = {
  url: string;
  /** Method and path of the requests, with the session of those that start a run. */
  asked: { method: string; path: string; session: string; key: unknown }[];
  stop(): void;
};

type Script = (
  request: { path: string; session: string; after: number; isStart: boolean },
  res: ServerResponse,
) => void;

/** A server in the place of a gateway. */
async function scripted(script: Script): Promise<Scripted> {
  const asked: Scripted["asked"] = [];
  const sessions = new Map<unknown, string>();
  const server = createServer(async (req: IncomingMessage, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    const path = req.url ?? "";
    const user = req.headers.authorization;
    const session = String(body.session_id ?? sessions.get(user));
    sessions.set(user, session);
    asked.push({ method: req.method ?? "", path, session, key: req.headers["idempotency-key"] });
    const after = Number(/after=(\d+)/.exec(path)?.[1] ?? 0);
    if (path.endsWith("/cancel")) res.writeHead(200, { "content-type": "application/json" }).end("{}");
    else script({ path, session, after, isStart: path.startsWith("/api/v1/chat?") }, res);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function stream(res: ServerResponse): ServerResponse {
  return res.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "x-run-id": RUN });
}

/** Sends the first bytes and breaks the connection. */
function cut(res: ServerResponse, bytes: Buffer): void {
  stream(res).write(bytes, () => res.socket?.destroy());
  if (bytes.length === 0) res.flushHeaders();
}

const gateway = async (url: string, timeout_ms = 20_000): Promise<TestGateway> =>
  use(await testGateway({ manifest: frontMesh(url, { timeout_ms }), redisUrl: redis }));

test("a stream that is cut off at any byte is taken up again: the log is the same, and there is one run", async () => {
  const bytes = Buffer.from(WHOLE);
  const offsets = Array.from({ length: 48 }, (_, index) => Math.floor((index * bytes.length) / 47));
  const cuts = new Map(offsets.map((offset, index) => [`cut-${index}`, offset]));
  const remote = use(
    await scripted(({ session, after, isStart }, res) => {
      if (isStart) cut(res, bytes.subarray(0, cuts.get(session) ?? 0));
      else stream(res).end(FRAMES.slice(after).join(""));
    }),
  );
  const front = await gateway(remote.url);
  for (let from = 0; from < offsets.length; from += 8) {
    const some = offsets.slice(from, from + 8).keys();
    await Promise.all(
      [...some].map(async (place) => {
        const user = as(`user-${from + place}`);
        const session_id = `cut-${from + place}`;
        const read = await chat(front, { message: "propose prices", session_id }, user);
        expect([read.status, await read.over]).toEqual([200, "ended"]);
        expect(read.text).toBe(WHOLE.replaceAll(RUN, runOf(read)));
        expect(await transcript(front, runOf(read), user)).toBe(read.text);
        const starts = remote.asked.filter(({ session, key }) => session === session_id && key !== undefined);
        expect(new Set(starts.map(({ key }) => key)).size).toBe(1);
      }),
    );
  }
});

test("large events come through whole, and readers behind get all of them", async () => {
  const large = line(2, "progress", '"node":"optimizer",', { text: "값 ".repeat(700_000) });
  const more = FRAMES.slice(1).map((frame, index) =>
    frame.replace(`id: ${index + 2}`, `id: ${index + 3}`).replace(`"seq":${index + 2}`, `"seq":${index + 3}`),
  );
  const whole = STARTED + large + more.join("");
  const remote = use(await scripted((_request, res) => stream(res).end(whole)));
  const front = await gateway(remote.url);
  const read = await chat(front, { message: "propose prices" }, as("ann"));
  expect(await read.over).toBe("ended");
  expect(read.text === whole.replaceAll(RUN, runOf(read))).toBe(true);
});

test("a stream that stays open after the run's end is closed", async () => {
  const closed = Promise.withResolvers<void>();
  const remote = use(
    await scripted((_request, res) => {
      res.once("close", closed.resolve);
      stream(res).write(WHOLE);
    }),
  );
  const front = await gateway(remote.url, 600_000);
  const read = await chat(front, { message: "propose prices" }, as("ann"));
  expect(await read.over).toBe("ended");
  expect(eventsOf(read).at(-1)).toMatchObject({ type: "run_finished" });
  await closed.promise;
});

test("a stream that stays cut off is an honest error, never success", async () => {
  const bytes = Buffer.from(WHOLE);
  const offsets = [0, 40, STARTED.length, STARTED.length + 90, Buffer.byteLength(WHOLE) - 1];
  const remote = use(
    await scripted(({ session, isStart }, res) => {
      if (isStart) cut(res, bytes.subarray(0, offsets[Number(session.split("-")[1])]));
      else res.socket?.destroy();
    }),
  );
  const front = await gateway(remote.url, 4_000);
  await Promise.all(
    offsets.map(async (_, index) => {
      const read = await chat(
        front,
        { message: "propose", session_id: `gone-${index}` },
        as(`gone-${index}`),
      );
      expect(await read.over).toBe("ended");
      const events = eventsOf(read);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, at) => at + 1));
      expect(events.at(-1)).toMatchObject({
        type: "run_failed",
        data: { code: "upstream_unavailable", retryable: true },
      });
    }),
  );
});

describe("a stream that breaks the contract", () => {
  test.each<[string, string | Buffer]>([
    ["leaves out an event", STARTED + PROGRESS + FINISHED],
    ["repeats an event", STARTED + TOKEN + TOKEN],
    ["has another run's event", STARTED + TOKEN.replace(RUN, `${RUN.slice(1)}0`)],
    ["has two ends", WHOLE + FINISHED.replace("id: 4", "id: 5").replace('"seq":4', '"seq":5')],
    [
      "has bytes that are no UTF-8",
      Buffer.concat([Buffer.from(STARTED), Buffer.from([0x64, 0xff, 0x0a, 0x0a])]),
    ],
    ["has an event that is no JSON", STARTED + TOKEN.replace(/\}\n\n$/, "\n\n")],
    ["has an end without a message", STARTED + line(2, "run_finished", "", { status: "ok" })],
    ["has an unknown event", STARTED + line(2, "run_exploded", "", {})],
    ["has an event whose id is another", STARTED + TOKEN.replace("id: 2", "id: 7")],
    ["has lost its log", `event: reset\ndata: {}\n\n${FINISHED}`],
  ])("that %s is refused, and the run there is cancelled", async (_, sent) => {
    const remote = use(await scripted((_request, res) => stream(res).end(sent)));
    const front = await gateway(remote.url);
    const read = await chat(front, { message: "propose prices" }, as("ann"));
    expect(await read.over).toBe("ended");
    expect(eventsOf(read).at(-1)).toMatchObject({ type: "run_failed", data: { code: "upstream_invalid" } });
    await until(() => remote.asked.some(({ path }) => path === `/api/v1/runs/${RUN}/cancel`));
  });

  test("since it is no event stream is refused", async () => {
    const remote = use(
      await scripted((_request, res) => void res.writeHead(200, { "content-type": "text/html" }).end("<p>")),
    );
    const front = await gateway(remote.url);
    const body = { message: "propose prices", session_id: randomUUID() };
    const answer = await post(front, "/api/v1/chat", body, as("ann"));
    expect([answer.status, answer.json().code]).toEqual([502, "upstream_invalid"]);
  });
});

describe("a remote gateway that answers", () => {
  const refusal = (code: string) => ({ error: "Said so.", code, retryable: false, request_id: "r" });
  test.each<[number, object, number, string, Record<string, string>]>([
    [403, refusal("forbidden"), 403, "forbidden", {}],
    [404, refusal("not_found"), 404, "not_found", {}],
    [409, refusal("session_busy"), 409, "session_busy", {}],
    [429, refusal("quota_exceeded"), 429, "quota_exceeded", { "retry-after": "17" }],
    [503, refusal("overloaded"), 503, "overloaded", {}],
    [508, refusal("loop_detected"), 508, "loop_detected", {}],
    [401, refusal("unauthorized"), 502, "upstream_refused", {}],
    [418, {}, 502, "upstream_refused", {}],
    [302, {}, 502, "upstream_refused", {}],
    [500, refusal("internal"), 502, "upstream_failed", {}],
    // A code that goes with another status is not believed.
    [403, refusal("loop_detected"), 403, "forbidden", {}],
  ])("%i %j is told as %i %s", async (status, body, told, code, headers) => {
    const remote = use(
      await scripted((_request, res) => {
        res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
      }),
    );
    const front = await gateway(remote.url);
    const ask = { message: "propose prices", session_id: randomUUID() };
    const answer = await post(front, "/api/v1/chat", ask, as("ann"));
    expect([answer.status, answer.json().code]).toEqual([told, code]);
    if (headers["retry-after"]) expect(answer.headers["retry-after"]).toBe(headers["retry-after"]);
    const run = String(answer.json().thread_id);
    expect((await get(front, `/api/v1/runs/${run}`, as("ann"))).json()).toMatchObject({
      state: "failed",
      seq: 2,
    });
    expect(new Set(remote.asked.map(({ key }) => key)).size).toBe(1);
    expect(remote.asked.length).toBeLessThanOrEqual(3);
  });

  test("a run that it does not know any more ends honestly", async () => {
    const remote = use(
      await scripted(({ isStart }, res) => {
        if (isStart) cut(res, Buffer.from(STARTED + TOKEN));
        else res.writeHead(404).end();
      }),
    );
    const front = await gateway(remote.url);
    const read = await chat(front, { message: "propose prices" }, as("ann"));
    expect(await read.over).toBe("ended");
    const events = eventsOf(read);
    expect(events.map(({ type }) => type)).toEqual(["run_started", "token", "run_failed"]);
    expect(events.at(-1)?.data).toMatchObject({ code: "upstream_failed", reason: "http_404" });
  });

  test("nothing, since it is not there, is unavailable, and its place is not in the log", async () => {
    const front = await gateway("http://127.0.0.1:9");
    const ask = { message: "propose prices", session_id: randomUUID() };
    const answer = await post(front, "/api/v1/chat", ask, as("ann"));
    expect([answer.status, answer.json().code]).toEqual([503, "upstream_unavailable"]);
    expect(answer.text).not.toContain("127.0.0.1");
  });

  test("slowly is told when the service's time is up, and the run there is cancelled", async () => {
    const remote = use(await scripted((_request, res) => stream(res).write(STARTED)));
    const front = await gateway(remote.url, 500);
    const ask = { message: "propose prices", session_id: randomUUID() };
    const answer = await post(front, "/api/v1/chat", ask, as("ann"));
    expect([answer.status, answer.json().code]).toEqual([504, "deadline_exceeded"]);
    await until(() => remote.asked.some(({ path }) => path === `/api/v1/runs/${RUN}/cancel`));
  });
});
