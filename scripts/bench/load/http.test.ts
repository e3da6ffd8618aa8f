import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { Connection, exchange } from "./http.ts";
import { readStream } from "./read-stream.ts";

const open: (Server | TcpServer)[] = [];

afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function listening(server: Server | TcpServer): Promise<string> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serve = (handler: RequestListener) => listening(createServer(handler));

/** A server that answers with these bytes, in these pieces. */
const serveRaw = (pieces: readonly string[]) =>
  listening(
    createTcpServer((socket) => {
      socket.once("data", async () => {
        for (const piece of pieces) {
          socket.write(piece, "latin1");
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        socket.end();
      });
    }),
  );

test("one connection carries one exchange after the other", async () => {
  const ports = new Set<number | undefined>();
  const url = await serve((req, res) => {
    ports.add(req.socket.remotePort);
    req.on("data", (body) => res.end(`${req.method} ${body}`));
  });
  const connection = new Connection(url);
  for (const body of ["one", "two"])
    expect(await exchange(connection, { path: "/", body })).toEqual({ status: 200, text: `POST ${body}` });
  expect(ports.size).toBe(1);
  connection.close();
});

test("a chunked answer is put together, wherever it is cut", async () => {
  const whole =
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\na\r\n0123456789\r\n0\r\n\r\n";
  for (const at of [5, 20, 48, 51, 54, 60, 70, whole.length - 2]) {
    const connection = new Connection(await serveRaw([whole.slice(0, at), whole.slice(at)]));
    expect(await exchange(connection, { path: "/" })).toEqual({ status: 200, text: "abc0123456789" });
    connection.close();
  }
});

test("an answer without a length ends with the connection", async () => {
  const connection = new Connection(await serveRaw(["HTTP/1.1 404 Not Found\r\n\r\nno", "where"]));
  expect(await exchange(connection, { path: "/" })).toEqual({ status: 404, text: "nowhere" });
});

test("an answer that is cut is an error, and the connection can be used again", async () => {
  let times = 0;
  const url = await serve((_req, res) => {
    if (times++ === 0) {
      res.writeHead(200, { "content-length": 10 });
      res.write("abc");
      setImmediate(() => res.destroy());
    } else res.end("whole");
  });
  const connection = new Connection(url);
  await expect(exchange(connection, { path: "/" })).rejects.toThrow();
  expect(await exchange(connection, { path: "/" })).toEqual({ status: 200, text: "whole" });
  connection.close();
});

test("a stream's events are told apart, keepalives left out, and its end counts only after the last event", async () => {
  const events = [
    'id: 1\ndata: {"seq":1}',
    ": keepalive",
    'id: 2\ndata: {"progress":{"i":0,"t":1}}',
    'id: 3\ndata: {"message":"done","done":true}',
  ];
  for (const [sent, over] of [
    [events, true],
    [events.slice(0, 3), false],
  ] as const) {
    const url = await serve((_req, res) => {
      res.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of sent) res.write(`${event}\n\n`);
      res.end();
    });
    const connection = new Connection(url);
    const seen: string[] = [];
    let any = 0;
    const end = await readStream(connection, { path: "/" }, "gateway", {
      event: (frame) => seen.push(frame),
      any: () => any++,
    });
    expect(end).toEqual({ status: 200, over });
    expect(seen).toEqual([events[2]]);
    expect(any).toBe(sent.length - 1);
    connection.close();
  }
});
