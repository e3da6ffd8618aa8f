import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { runAsks } from "./asks.ts";
import { median, spreadOf } from "./figures.ts";
import { Connection } from "./http.ts";
import { readStream } from "./read-stream.ts";
import { askOf } from "./requests.ts";

const open: Server[] = [];

afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function listening(server: Server): Promise<string> {
  open.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serve = (handler: RequestListener) => listening(createServer(handler));

test("one connection carries one exchange after the other", async () => {
  const ports = new Set<number | undefined>();
  const url = await serve((req, res) => {
    ports.add(req.socket.remotePort);
    req.on("data", (body) => res.end(`${req.method} ${body}`));
  });
  const connection = new Connection(url);
  for (const body of ["one", "two"])
    expect(await connection.exchange({ path: "/", body })).toEqual({ status: 200, text: `POST ${body}` });
  expect(ports.size).toBe(1);
  connection.close();
});

test("a chunked answer is put together, wherever it is cut", async () => {
  const whole =
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\na\r\n0123456789\r\n0\r\n\r\n";
  for (let cut = 1; cut < whole.length; cut++) {
    const url = await listening(
      createTcpServer({ noDelay: true }, (socket) => {
        socket.once("data", () => {
          socket.write(whole.slice(0, cut), () => setImmediate(() => socket.write(whole.slice(cut))));
        });
      }),
    );
    const connection = new Connection(url);
    expect(await connection.exchange({ path: "/" })).toEqual({ status: 200, text: "abc0123456789" });
    connection.close();
  }
});

test("an answer that is cut is an error, and the connection can be used again", async () => {
  let times = 0;
  const url = await serve((_req, res) => {
    if (times++ > 0) return res.end("whole");
    res.writeHead(200, { "content-length": 10 });
    res.write("abc", () => res.destroy());
  });
  const connection = new Connection(url);
  await expect(connection.exchange({ path: "/" })).rejects.toThrow();
  expect(await connection.exchange({ path: "/" })).toEqual({ status: 200, text: "whole" });
  connection.close();
});

test("a stream's events are told apart, keepalives left out, and a stream without its last event is an error", async () => {
  const event = 'id: 2\ndata: {"progress":{"i":0,"t":1}}';
  const last = 'id: 3\ndata: {"message":"done","done":true}';
  let sent = ['id: 1\ndata: {"seq":1}', ": keepalive", event, last];
  const url = await serve((_req, res) => {
    for (const frame of sent) res.write(`${frame}\n\n`);
    res.end();
  });
  const connection = new Connection(url);
  const [events, all]: [string[], string[]] = [[], []];
  const read = () =>
    readStream(connection, { path: "/" }, "gateway", {
      event: (frame) => events.push(frame),
      any: (frame) => all.push(frame),
    });
  await read();
  expect(events).toEqual([event]);
  expect(all).toHaveLength(3);
  sent = [event];
  await expect(read()).rejects.toThrow("cut");
  connection.close();
});

test("a measurement with one wrong answer is none", async () => {
  let asked = 0;
  const url = await serve((_req, res) => {
    if (++asked === 40) res.writeHead(503);
    res.end('{"status":"ok"}');
  });
  const asks = { urls: [url], question: askOf.agent, concurrency: 4 };
  const counting = { warmS: 0, seconds: 60, signal: new AbortController().signal };
  await expect(runAsks(asks, counting)).rejects.toThrow("an ask failed: 503");
});

test("percentiles and medians of values in any order", () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(spreadOf(values)).toEqual({ p50: 51, p95: 96, p99: 100 });
  expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([])]).toEqual([2, 2.5, Number.NaN]);
});
