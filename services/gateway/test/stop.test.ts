import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { gatewayProcess } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { COMPOSITE_ASK, GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { StoreView } from "./support/publishing.ts";
import { type RedisServer, startRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { answering, finish, holding, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";
import { wireTo } from "./support/wire.ts";

const keep = closingAtEnd();
const use = closing();
const optimizer = holding();
let redis: RedisServer;
let agent: StandIn;

beforeAll(async () => {
  redis = keep(await startRedis());
  const { PRICE_OPTIMIZATION: _, ...others } = GOOD_OUTPUTS;
  const handlers = Object.entries(others).map(([task, outputs]) => [task, answering(outputs)]);
  agent = keep(await standIn({ ...Object.fromEntries(handlers), PRICE_OPTIMIZATION: optimizer.handler }));
});

const start = async (env: Record<string, string> = {}) =>
  use(await gatewayProcess({ manifest: pricingMesh(agent.url), redisUrl: redis.url, env }));

const chat = (url: string, message: string) =>
  EventReader.open(`${url}/api/v1/chat?stream=true`, { body: { message, session_id: randomUUID() } });

describe("SIGTERM", () => {
  test("ends an idle gateway with exit code 0", async () => {
    const gateway = await start();
    gateway.child.kill("SIGTERM");
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
  });

  test("lets what runs come to its end, refuses what comes new, and then exits with 0", async () => {
    const gateway = await start({ SHUTDOWN_GRACE_MS: "20000" });
    const client = await chat(gateway.url, "Propose new prices");
    const call = await optimizer.next();
    gateway.child.kill("SIGTERM");
    await until(async () => (await ask(`${gateway.url}/readyz`)).status === 503);
    await until(async () => {
      const body = { message: "hello", session_id: randomUUID() };
      const { status, text } = await ask(`${gateway.url}/api/v1/chat`, { body });
      return status === 503 && JSON.parse(text).code === "draining";
    });
    finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
    expect(await client.over).toBe("ended");
    expect(client.data.at(-1)).toMatchObject({ done: true, message: "One price moves." });
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
  });

  test("after the grace time hands a plan over: its stream ends with a hint, and goes on elsewhere", async () => {
    const one = await start({ SHUTDOWN_GRACE_MS: "100" });
    const other = await start();
    const client = await chat(one.url, COMPOSITE_ASK);
    await optimizer.next();
    await client.until((frames) => frames.length >= 3);
    one.child.kill("SIGTERM");
    expect(await client.over).toBe("ended");
    expect(client.hints).toEqual([
      expect.stringMatching(/^retry: \d+\n: this replica stops, come back\n\n$/),
    ]);
    expect(client.data.every((data) => data.done === false)).toBe(true);
    expect(await one.exited).toEqual({ code: 0, signal: null });
    const id = client.headers["x-run-id"];
    const rest = await EventReader.open(`${other.url}/api/v1/runs/${id}/events?dialect=chat`, {
      headers: { "last-event-id": String(client.frames.length) },
    });
    finish(await optimizer.next(), GOOD_OUTPUTS.PRICE_OPTIMIZATION);
    expect(await rest.over).toBe("ended");
    expect(rest.data.at(-1)).toMatchObject({ done: true, message: "Passed: true\n\nCost drives it." });
    const seqs = [...client.data, ...rest.data].map((data) => data.seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  test("ends a gateway whose queue worker is just resetting its connection to a frozen store", async () => {
    const wire = use(await wireTo(redis.url));
    const gateway = use(await gatewayProcess({ manifest: pricingMesh(agent.url), redisUrl: wire.url }));
    const { redis: store } = use(new StoreView(redis.url));
    await until(async () => String(await store.client("LIST")).match(/cmd=bzpopmin/g)?.length === 1);
    wire.silence();
    await wire.hungUp;
    gateway.child.kill("SIGTERM");
    // It is stopping once it answers, or refuses the connection.
    await ask(`${gateway.url}/readyz`).catch(() => undefined);
    wire.stop();
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
  });
});

describe("a gateway that cannot start says why and exits with 1", () => {
  /** Waits for the end of a process that never listens. */
  async function failure(options: Partial<Parameters<typeof gatewayProcess>[0]>): Promise<string> {
    const started = gatewayProcess({ manifest: pricingMesh(agent.url), redisUrl: redis.url, ...options });
    return await started.then(
      (gateway) => {
        use(gateway);
        return "it started";
      },
      (error: Error) => error.message,
    );
  }

  test("where its port is taken", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    use({ stop: () => server.close() });
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address ? String(address.port) : "";
    expect(await failure({ env: { PORT: port } })).toMatch(/port is taken.*PORT/);
  });

  test("where its manifest names what is not there", async () => {
    const manifest = pricingMesh(agent.url);
    manifest.flows.pricing.steps.check.needs = ["nothing"];
    expect(await failure({ manifest })).toContain(
      'flows.pricing.steps.check.needs: there is no step "nothing"',
    );
  });

  test("where a variable does not read, without its value", async () => {
    const message = await failure({ env: { MAX_RUNS: "canary-1" } });
    expect(message).toContain("MAX_RUNS must be a whole number");
    expect(message).not.toContain("canary-1");
  });
});
