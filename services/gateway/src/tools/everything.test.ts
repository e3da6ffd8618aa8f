import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { mailServer, salesServer } from "../../../../scripts/tool-servers/servers.ts";
import { closing, closingAtEnd } from "../../test/support/closing.ts";
import { orderServer, stockServer } from "../../test/support/mcp-official.ts";
import { callerOf, judging, toolRoom } from "../../test/support/tool-room.ts";
import { until } from "../../test/support/until.ts";

const keep = closingAtEnd();
const use = closing();
const values = keep(judging());

const EVERYTHING = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"),
);

/** The reference server that has everything, as a process of its own. */
function everything(port: number) {
  const child: ChildProcess = spawn(process.execPath, [EVERYTHING, "streamableHttp"], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: "ignore",
  });
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
  return { stop: kill };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

describe("the reference server", () => {
  let port: number;
  let running: ReturnType<typeof everything>;
  const start = (): void => {
    running = keep(everything(port));
  };

  beforeAll(async () => {
    port = await freePort();
    start();
  });

  async function roomOf() {
    const room = use(toolRoom({ values, servers: { all: { url: `http://127.0.0.1:${port}/mcp` } } }));
    await room.servers.start();
    await room.status("all", "ready");
    return room;
  }

  test("is found with its tools, none of which is suspected of anything", async () => {
    const { tools } = await roomOf();
    const listed = tools.list(callerOf());
    expect(listed.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["all.echo", "all.get-sum", "all.get-tiny-image"]),
    );
    expect(listed.filter(({ flags }) => flags.length > 0)).toEqual([]);
  });

  test("answers with text, structured content, images and links", async () => {
    const { call } = await roomOf();
    expect((await call("all.get-sum", { a: 2, b: 40 })).result.content).toEqual([
      { type: "text", text: expect.stringContaining("42") },
    ]);
    const weather = (await call("all.get-structured-content", { location: "Chicago" })).result;
    expect(weather.structured).toMatchObject({
      temperature: expect.any(Number),
      conditions: expect.any(String),
    });
    const image = (await call("all.get-tiny-image")).result.content;
    expect(image).toContainEqual({ type: "image", mimeType: "image/png", data: expect.any(String) });
    const links = (await call("all.get-resource-links", { count: 2 })).result.content;
    const kinds = links.map(({ type }) => type);
    expect(kinds).toEqual(["text", "link", "resource", "link", "resource"]);
  });

  test("refuses nothing that its schemas allow, and gets nothing that they refuse", async () => {
    const { call } = await roomOf();
    await expect(call("all.get-sum", { a: "two", b: 40 })).rejects.toMatchObject({
      code: "invalid_arguments",
    });
  });

  test("tells how far a long call is", async () => {
    const { call } = await roomOf();
    const told: number[] = [];
    const onProgress = ({ progress }: { progress: number }) => void told.push(progress);
    await call("all.trigger-long-running-operation", { duration: 0.4, steps: 4 }, { onProgress });
    expect(told).toEqual([1, 2, 3, 4]);
  });

  test("is killed, and is there again once it was started", async () => {
    const room = await roomOf();
    await running.stop();
    await expect(room.call("all.echo", { message: "?" })).rejects.toMatchObject({ code: "unavailable" });
    await room.status("all", "unavailable");
    expect(room.tools.list(callerOf()).map(({ available }) => available)).not.toContain(true);
    start();
    await room.status("all", "ready");
    const { result } = await room.call("all.echo", { message: "again" });
    expect(result.content).toEqual([{ type: "text", text: expect.stringContaining("again") }]);
  });
});

describe("a server that the gateway starts, under development", () => {
  const servers = { all: { command: [process.execPath, EVERYTHING, "stdio"] } };

  test("is found and called, and is there again after it was killed", async () => {
    const room = use(toolRoom({ values, servers, env: { DEV_MODE: "true" } }));
    await room.servers.start();
    await room.status("all", "ready");
    const { result } = await room.call("all.echo", { message: "hello" });
    expect(result.content).toEqual([{ type: "text", text: "Echo: hello" }]);
    const before = childrenOf(process.pid);
    expect(before).toHaveLength(1);
    for (const pid of before) process.kill(pid, "SIGKILL");
    await until(() => childrenOf(process.pid).some((pid) => !before.includes(pid)));
    await room.status("all", "ready");
    await until(async () => {
      const again = await room.call("all.echo", { message: "again" }).catch(() => undefined);
      return again?.result.isError === false;
    });
    await room.stop();
    await until(() => childrenOf(process.pid).length === 0);
  });

  test("is refused everywhere else, and so is one that is both or neither", () => {
    const said = (server: object, env = {}) =>
      expect(() => toolRoom({ values, servers: { all: server }, env }));
    said(servers.all).toThrow("tools.servers.all.command: is for development (DEV_MODE=true) alone");
    said({ ...servers.all, url: "http://127.0.0.1:1/mcp" }).toThrow("must have a url or a command");
    said({}).toThrow("must have a url or a command");
  });
});

/** Process ids of the running reference servers that a process has started. */
function childrenOf(pid: number): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1];
      const isOurs =
        Number(parent) === pid &&
        readFileSync(`/proc/${name}/cmdline`, "utf8").includes(`${EVERYTHING}\0stdio`);
      return isOurs ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

describe("servers of the present version of the protocol", () => {
  test("one that reads is found, called, cached, and heard when it changes", async () => {
    const stock = use(await stockServer());
    const { servers, call, names } = use(toolRoom({ values, servers: { stock: { url: stock.url } } }));
    await servers.start();
    expect(names()).toEqual(["stock.count"]);
    expect(servers.servers[0]?.protocolVersion).toBe("2026-07-28");
    expect(await call("stock.count", { item: "valve" })).toMatchObject({
      cache: "miss",
      result: { structured: { count: 12 } },
    });
    expect(await call("stock.count", { item: "valve" })).toMatchObject({
      cache: "hit",
      result: { structured: { count: 12 } },
    });
    expect(await call("stock.count", { item: "sink" })).toMatchObject({
      cache: "miss",
      result: { isError: true },
    });
    await stock.extend();
    await until(() => names().includes("stock.items"));
  });

  test("one that acts is called each time, and tells how far it is", async () => {
    const orders = use(await orderServer());
    const { servers, call } = use(toolRoom({ values, servers: { orders: { url: orders.url } } }));
    await servers.start();
    const told: number[] = [];
    const onProgress = ({ progress }: { progress: number }) => void told.push(progress);
    for (const _ of [1, 2]) await call("orders.place", { item: "valve", amount: 2 }, { onProgress });
    expect([orders.orders.length, told]).toEqual([2, [1, 1]]);
  });
});

describe("the servers of the document", () => {
  test("one reads scanner data by SQL, several questions at once, and nothing but that", async () => {
    const sales = use(await salesServer());
    const { servers, tools, call } = use(toolRoom({ values, servers: { sales: { url: sales.url } } }));
    await servers.start();
    expect(tools.list(callerOf()).map(({ name, reads }) => [name, reads])).toEqual([
      ["sales.query", true],
      ["sales.calculate", true],
    ]);
    const rows = async (sql: string) => (await call("sales.query", { sql })).result;
    const regions = ["EMEA", "NA", "APAC"];
    const sums = await Promise.all(
      regions.map((region) => rows(`SELECT sum(quantity) AS units FROM scanner WHERE region = '${region}'`)),
    );
    const units = sums.map(({ structured }) => Object(structured).rows[0].units as number);
    const all = await rows("SELECT sum(quantity) AS units, count(*) AS weeks FROM scanner");
    expect(all.structured).toMatchObject({ rows: [{ units: expect.any(Number), weeks: 2_988 }] });
    expect(units.reduce((sum, one) => sum + one, 0)).toBe(Object(all.structured).rows[0].units);
    for (const sql of [
      "DELETE FROM scanner",
      "SELECT 1; SELECT 2",
      "COPY scanner TO '/tmp/scanner.csv'",
      "SELECT * FROM read_csv('/etc/passwd')",
      "SET enable_external_access = true",
    ])
      expect(await rows(sql)).toMatchObject({ isError: true });
    expect((await rows("SELECT count(*) AS weeks FROM scanner")).structured).toMatchObject({
      rows: [{ weeks: 2_988 }],
    });
  });

  test("one acts: only where whoever calls has made sure that it may, and once under one key", async () => {
    const mail = use(await mailServer());
    const { servers, call } = use(toolRoom({ values, servers: { mail: { url: mail.url } } }));
    await servers.start();
    const send = (more: object) => call("mail.send", { to: "ann@example.com", text: "Hello." }, more);
    await expect(send({ mayAct: false })).rejects.toMatchObject({ code: "acts" });
    for (const _ of [1, 2]) expect(await send({ idempotencyKey: "one" })).toMatchObject({ cache: "bypass" });
    expect(mail.sent).toMatchObject([{ to: "ann@example.com", key: "one" }]);
  });
});
